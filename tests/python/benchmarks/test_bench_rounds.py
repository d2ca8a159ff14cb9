"""The order of the rounds, and when another is run. Nothing is timed: the backends are dicts."""

from harness import rounds

PLAN = rounds.Plan(rounds=2, most_rounds=6)


def test_order_alternates_between_the_controls():
    assert rounds.order(["ge", "eager", "inductor"], 0) == ["eager", "ge", "inductor", "eager_again"]
    assert rounds.order(["ge", "eager", "inductor"], 1) == ["eager_again", "inductor", "ge", "eager"]


class Machine:
    """Gives the times of each backend in turn, the last for ever."""

    def __init__(self, **times: list[float]) -> None:
        self.times, self.asked = times, list[str]()

    def __call__(self, backend: str) -> dict:
        self.asked.append(backend)
        times = self.times[backend]
        return {"us": times.pop(0) if len(times) > 1 else times[0], "error": 0.0}


def test_quiet_machine_runs_the_planned_rounds():
    machine = Machine(eager=[100.0], eager_again=[101.0], ge=[50.0, 70.0])
    assert max(row["round"] for row in rounds.run(["ge"], machine, PLAN)) == 1


def test_noisy_machine_runs_until_the_ratio_repeats():
    # halves: 100/50 and 100/70, then 100/50 and 100/70, then 100/50 and 100/50
    machine = Machine(eager=[100.0], eager_again=[120.0], ge=[50.0, 70.0, 50.0, 50.0])
    assert max(row["round"] for row in rounds.run(["ge"], machine, PLAN)) == 3


def test_noisy_machine_stops_at_the_cap():
    machine = Machine(eager=[100.0], eager_again=[120.0], ge=[50.0, 70.0] * 9)
    assert max(row["round"] for row in rounds.run(["ge"], machine, PLAN)) == 5


def test_only_what_does_not_repeat_runs_again():
    machine = Machine(eager=[100.0], eager_again=[120.0], ge=[50.0], ge_direct=[50.0, 70.0, 50.0, 50.0], openvino=[80.0], aot_eager=[9.0])
    rows = rounds.run(["ge", "ge_direct", "openvino", "aot_eager"], machine, PLAN)
    assert {row["backend"] for row in rows if row["round"] == 3} == {"eager", "eager_again", "ge_direct", "openvino"}


def test_failed_backend_is_not_asked_again():
    machine = Machine(eager=[100.0], eager_again=[100.0], ge=[50.0])
    asked = []

    def measure(backend):
        asked.append(backend)
        return {"fail": "no"} if backend == "inductor" else machine(backend)

    rows = rounds.run(["ge", "inductor"], measure, PLAN)
    assert asked.count("inductor") == 1
    assert sum("fail" in row for row in rows) == 1
