"""Alerts and the board name only what the processes tell, with labels that it has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from pbem.play.backlog import SEEN_JOB, Backlog
from pbem.tally import Tally
from tests.deploy.reading import DEPLOY, filled_in, processes_of, read_yaml
from workers.jobs import JOBS, LANES
from workers.metrics import make_registry

[ALERTS] = read_yaml(DEPLOY / "prometheus" / "alerts.yaml")
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]
BOARD = json.loads((DEPLOY / "grafana" / "pbem.json").read_text())
PANELS = [panel for panel in BOARD["panels"] if panel["type"] != "row"]
_METRIC = re.compile(r"\b((?:pbem|process)_[a-z_]+)(?:\{([^}]*)\})?")
_LABEL = re.compile(r'([a-z]+)=~?"([^"]*)"')
AGREED = {
    "pbem_queue_age_seconds",
    "pbem_queue_length",
    "pbem_oldest_unanswered_mail_seconds",
    "pbem_mails_sent_total",
    "pbem_bounces_total",
    "pbem_refusals_total",
    "pbem_sweeps_total",
    "pbem_last_sweep_age_seconds",
    "pbem_last_pulse_age_seconds",
    "pbem_task_seconds_bucket",
    "pbem_dead_letters",
    "pbem_all_mails_fail_seconds",
    "pbem_quarantined",
}
"""What an operator must be able to see."""


def expressions() -> Iterator[str]:
    for rule in RULES:
        yield rule["expr"]
    for panel in PANELS:
        for target in panel["targets"]:
            yield target["expr"]


@pytest.fixture(scope="module")
def told() -> dict[str, dict[str, set[str]]]:
    """Every sample that a process tells by its name, with the values of its labels."""
    tally = Tally()
    for job in JOBS:
        tally.time(job.name, 0.1)
    tally.add("refusals", "some_code")
    now = datetime.now(UTC)
    backlog = Backlog(now, running=1, pulse=now, seen={f"{SEEN_JOB}sweep": now})
    found: dict[str, dict[str, set[str]]] = {}
    for family in make_registry(lambda counts_games: backlog, tally=tally).collect():
        for sample in family.samples:
            labels = found.setdefault(sample.name, {})
            for name, value in sample.labels.items():
                labels.setdefault(name, set()).add(value)
    return found


def test_everything_named_is_told(told: dict[str, dict[str, set[str]]]) -> None:
    for expression in expressions():
        for name, inside in _METRIC.findall(expression):
            assert name in told, expression
            for label, pattern in _LABEL.findall(inside):
                if label == "job" and name.startswith("process_"):
                    continue  # Prometheus adds it
                for value in pattern.split("|"):
                    assert value in told[name].get(label, ()), expression
        for label in re.findall(r"by \(([a-z, ]+)\)", expression):
            known = {each for name, _ in _METRIC.findall(expression) for each in told[name]}
            assert set(label.split(", ")) <= known, expression


def test_everything_agreed_is_shown() -> None:
    shown = {name for each in expressions() for name, _ in _METRIC.findall(each)}
    assert shown >= AGREED


def test_alerts_are_whole() -> None:
    names = [rule["alert"] for rule in RULES]
    assert len(set(names)) == len(names)
    for rule in RULES:
        assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}
        assert rule["labels"]["severity"] in ("page", "warn")
        assert rule["annotations"]["summary"]
        assert rule["expr"].count("(") == rule["expr"].count(")")
        assert re.fullmatch(r"\d+m", rule.get("for", "1m"))


def test_the_board_has_a_place_for_everything() -> None:
    ids = [panel["id"] for panel in BOARD["panels"]]
    assert len(set(ids)) == len(ids)
    taken: set[tuple[int, int]] = set()
    for panel in BOARD["panels"]:
        at = panel["gridPos"]
        assert at["x"] + at["w"] <= 24
        area = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not taken & area, panel["title"]
        taken |= area
    for panel in PANELS:
        assert panel["datasource"]["uid"] == "${source}"
        assert panel["title"]
    [source] = BOARD["templating"]["list"]
    assert (source["name"], source["type"]) == ("source", "datasource")


def test_prometheus_finds_every_process_of_the_compose_file() -> None:
    [configuration] = read_yaml(DEPLOY / "prometheus" / "prometheus.yaml")
    assert configuration["rule_files"] == ["alerts.yaml"]
    jobs: dict[str, Any] = {each["job_name"]: each for each in configuration["scrape_configs"]}
    # Else Prometheus's own label would take the place of ours.
    assert all(each["honor_labels"] for each in jobs.values())
    named = {name for each in jobs["pbem"]["dns_sd_configs"] for name in each["names"]}
    [compose] = read_yaml(DEPLOY / "compose.yaml")
    telling = {
        name
        for name, service in compose["services"].items()
        if "PBEM_LISTEN_METRICS" in service.get("environment", {})
        and service.get("restart") == "unless-stopped"
    }
    assert named == telling


def test_prometheus_asks_every_process_of_the_compose_file() -> None:
    [configuration] = read_yaml(DEPLOY / "prometheus" / "prometheus.yaml")
    [job] = [each for each in configuration["scrape_configs"] if each["job_name"] == "pbem"]
    asked: dict[str, list[int]] = {}
    for each in job["dns_sd_configs"]:
        for name in each["names"]:
            asked.setdefault(name, []).append(each["port"])
    [compose] = read_yaml(DEPLOY / "compose.yaml")
    for name, ports in asked.items():
        service = compose["services"][name]
        environ = {key: filled_in(value) for key, value in service["environment"].items()}
        first = int(environ["PBEM_LISTEN_METRICS"].rpartition(":")[2])
        number = processes_of([filled_in(word) for word in service["command"]], environ)
        assert sorted(ports) == list(range(first, first + number)), name


def test_lanes_of_the_alerts() -> None:
    lanes = set(re.findall(r'lane="([a-z]+)"', " ".join(expressions())))
    assert lanes <= set(LANES)
    assert lanes == {"read", "send"}
