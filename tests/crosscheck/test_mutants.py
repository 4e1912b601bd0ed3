"""The conformance vectors, and the differential test, find every mutant of the reference engine."""

import pytest
from mutants import MUTANTS

from wts_fast import conformance, crosscheck, reference
from wts_fast.crosscheck import ClassEngine, EnginesDifferError

pytestmark = pytest.mark.slow


@pytest.fixture(params=MUTANTS, ids=lambda mutant: mutant.name)
def mutant(request):
    return request.param


@pytest.fixture(scope="module")
def positions(tmp_path_factory):
    """Return the `Position` of a mutant, imported once."""
    folder = tmp_path_factory.mktemp("mutants")
    made = {}

    def position(mutant):
        if mutant not in made:
            made[mutant] = mutant.position(folder)
        return made[mutant]

    return position


def test_the_vectors_find_it_and_the_report_names_the_vector(mutant, positions):
    with pytest.raises(EnginesDifferError) as caught:
        crosscheck.check_vectors(ClassEngine(positions(mutant)))
    found_in = str(caught.value).splitlines()[-1]
    assert found_in.removeprefix("found in vector ") in {v.id for v in conformance.turns()}


def test_the_differential_test_finds_it(mutant, positions):
    with pytest.raises(EnginesDifferError):
        # With this seed the rarest event, a win on a full board, comes soon.
        crosscheck.crosscheck(30_000, engine=positions(mutant), rng=3)


def test_the_mutants_break_many_rules():
    assert len({mutant.package for mutant in MUTANTS}) == len(MUTANTS) >= 30
    broken = {mutant.name.split()[0] for mutant in MUTANTS}
    assert broken == set(conformance.RULES) - {"R3", "R6"}  # these two follow from others


def test_a_copy_without_a_patch_passes(tmp_path):
    copy = MUTANTS[0]._replace(name="no patch", new=MUTANTS[0].old)
    position = copy.position(tmp_path)
    assert position is not reference.Position
    turns, perfts = crosscheck.check_vectors(ClassEngine(position))
    assert (turns, perfts) == (len(conformance.turns()), len(conformance.perfts()))
