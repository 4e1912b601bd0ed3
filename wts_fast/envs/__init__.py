"""What the Shell in other libraries: `pettingzoo`, `gymnasium` and `openspiel`.

Belongs here: adapters, which decide no rule. Each needs its library, an extra of the same name.
"""
