"""The Kubernetes manifests: by their schemas, and by what this program knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest

from tests.deploy.reading import (
    DEPLOY,
    fault_of_command,
    faults_of_environment,
    processes_of,
    read_yaml,
)
from workers.jobs import LANES

FOLDER = DEPLOY / "kubernetes"
VERSIONS = ("1.31", "1.37")
"""The oldest that we look at, and the newest."""
[KUSTOMIZATION] = read_yaml(FOLDER / "kustomization.yaml")
DOCUMENTS = [each for name in KUSTOMIZATION["resources"] for each in read_yaml(FOLDER / name)]
[SECRET] = read_yaml(FOLDER / "secret.example.yaml")
NAMES = [f"{each['kind']} {each['metadata']['name']}" for each in DOCUMENTS]
LASTING = ("web", "listener", "reader", "sender", "clocks", "beat")


def of_kind(kind: str) -> dict[str, Any]:
    return {each["metadata"]["name"]: each for each in DOCUMENTS if each["kind"] == kind}


def pods() -> Iterator[tuple[str, Any]]:
    """Every pod that would run, by the name of what makes it."""
    for each in DOCUMENTS:
        spec = each.get("spec", {})
        spec = spec.get("jobTemplate", {}).get("spec", spec)
        if "template" in spec:
            yield each["metadata"]["name"], spec["template"]


PODS = dict(pods())
OURS = {name: pod for name, pod in PODS.items() if name != "pbem-redis"}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("document", [*DOCUMENTS, SECRET], ids=[*NAMES, "Secret"])
def test_schema(document: Any, version: str) -> None:
    kubernetes_validate.validate(document, version, strict=True)


def test_every_file_is_part_of_it() -> None:
    apart = {"kustomization.yaml", "secret.example.yaml", "prometheus-adapter.yaml"}
    assert {each.name for each in FOLDER.iterdir()} == {*KUSTOMIZATION["resources"], *apart}
    assert len(set(NAMES)) == len(NAMES)
    images = {each["name"] for each in KUSTOMIZATION["images"]}
    used = {box["image"] for pod in OURS.values() for box in boxes(pod)}
    assert used == images


def boxes(pod: Any) -> list[Any]:
    return [*pod["spec"].get("initContainers", ()), *pod["spec"]["containers"]]


@pytest.mark.parametrize("name", OURS)
def test_commands_can_be_run(name: str, tmp_path: Path) -> None:
    for box in boxes(OURS[name]):
        assert fault_of_command(box["command"]) is None


def test_every_lane_has_a_worker() -> None:
    words = [word for pod in OURS.values() for box in boxes(pod) for word in box["command"]]
    queues = {queue for word in words for queue in word.split(",") if queue.startswith("pbem.")}
    assert queues == {f"pbem.{lane}" for lane in LANES}


def test_the_settings_are_understood_and_their_files_are_there(tmp_path: Path) -> None:
    settings = of_kind("ConfigMap")["pbem"]["data"]
    assert faults_of_environment(settings, tmp_path, is_serving=True) == []
    files = {value for name, value in settings.items() if name.endswith("_FILE")}
    assert files == {f"/run/secrets/pbem/{name}" for name in SECRET["stringData"]}
    for name, pod in OURS.items():
        mounted = {each["name"]: each for each in pod["spec"]["volumes"]}
        assert mounted["secrets"]["secret"]["secretName"] == SECRET["metadata"]["name"]
        for box in boxes(pod):
            assert box["envFrom"] == [{"configMapRef": {"name": "pbem"}}], name
            places = {each["mountPath"] for each in box["volumeMounts"]}
            assert {"/run/secrets/pbem", "/tmp"} <= places
            assert {each["name"] for each in box["volumeMounts"]} <= set(mounted)


@pytest.mark.parametrize("name", PODS)
def test_pods_have_no_rights_they_do_not_need(name: str) -> None:
    spec = PODS[name]["spec"]
    assert spec["automountServiceAccountToken"] is False
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    for box in boxes(PODS[name]):
        rights = box["securityContext"]
        assert rights["allowPrivilegeEscalation"] is False
        assert rights["readOnlyRootFilesystem"] is True
        assert rights["capabilities"] == {"drop": ["ALL"]}
        assert "memory" in box["resources"]["limits"]
        assert {"cpu", "memory"} <= set(box["resources"]["requests"])


@pytest.mark.parametrize("part", LASTING)
def test_what_lasts_is_watched_and_waits_for_the_tables(part: str) -> None:
    pod = OURS[f"pbem-{part}"]
    [box] = pod["spec"]["containers"]
    assert {"startupProbe", "livenessProbe"} <= set(box)
    assert ("readinessProbe" in box) == (part in ("web", "listener"))
    assert [each["command"][:3] for each in pod["spec"]["initContainers"]] == [
        ["pbem", "db", "current"]
    ]
    assert "metrics" in {port["name"] for port in box["ports"]}


@pytest.mark.parametrize("part", LASTING)
def test_every_process_has_a_port_that_prometheus_finds(part: str) -> None:
    [box] = OURS[f"pbem-{part}"]["spec"]["containers"]
    environ = {each["name"]: each["value"] for each in box.get("env", ())}
    first = int(of_kind("ConfigMap")["pbem"]["data"]["PBEM_LISTEN_METRICS"].rpartition(":")[2])
    number = processes_of(box["command"], environ)
    named = [each for each in box["ports"] if re.match("metrics.*", each["name"])]
    assert [each["containerPort"] for each in named] == list(range(first, first + number))
    policy = of_kind("NetworkPolicy")["pbem"]["spec"]["ingress"][0]["ports"][0]
    assert policy["port"] <= first
    assert first + number - 1 <= policy["endPort"]


def test_one_beat() -> None:
    spec = of_kind("Deployment")["pbem-beat"]["spec"]
    assert (spec["replicas"], spec["strategy"]) == (1, {"type": "Recreate"})


def test_what_selects_pods_finds_them() -> None:
    labels = [pod["metadata"]["labels"] for pod in PODS.values()]
    for each in DOCUMENTS:
        spec = each.get("spec", {})
        wanted = spec.get("selector") or spec.get("podSelector")
        if wanted is not None:
            wanted = wanted.get("matchLabels", wanted)
            assert any(wanted.items() <= found.items() for found in labels), each["metadata"]
    for name, service in of_kind("Service").items():
        [box] = PODS[name]["spec"]["containers"]
        ports = {port["name"] for port in box["ports"]}
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= ports


def test_readers_and_senders_follow_the_age_of_their_queues() -> None:
    found = {}
    for each in of_kind("HorizontalPodAutoscaler").values():
        target = each["spec"]["scaleTargetRef"]["name"]
        assert "replicas" not in of_kind("Deployment")[target]["spec"]
        [metric] = each["spec"]["metrics"]
        wanted = metric["external"]["metric"]
        found[target] = (wanted["name"], wanted["selector"]["matchLabels"]["lane"])
    age = "pbem_queue_age_seconds"
    assert found == {"pbem-reader": (age, "read"), "pbem-sender": (age, "send")}
    [adapter] = read_yaml(FOLDER / "prometheus-adapter.yaml")
    assert adapter["externalRules"][0]["name"]["as"] == age


def test_disruptions_leave_somebody() -> None:
    assert set(of_kind("PodDisruptionBudget")) == {f"pbem-{part}" for part in LASTING[:5]}
    assert len(of_kind("NetworkPolicy")) == 4
