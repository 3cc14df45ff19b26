# SPDX-License-Identifier: BSD-3-Clause
import os

from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class ForerunCalibrate(MakefilePackage):
    """The benchmarks of forerun, which measure a cluster, so that the run time of parallel linear algebra on it can be
    predicted. The daemon that predicts is not part of this package.

    `make dist` makes the tarball. Put it into the working directory and this file into a repository, as
    packages/forerun_calibrate/package.py, then run: spack install --no-checksum forerun-calibrate"""

    manual_download = True

    license("BSD-3-Clause")

    # The checksum of a tarball cannot stand in the tarball.
    version("0.4.0")

    variant("check", default=True, description="Check documents with forerun-calibrate --check")
    variant("hwloc", default=True, description="Record where the processes are bound")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("blas")
    depends_on("lapack")
    depends_on("mpi")
    depends_on("zlib-api")
    depends_on("hwloc", when="+hwloc")
    depends_on("jansson", when="+check")
    depends_on("libsodium", when="+check")

    def url_for_version(self, version):
        return f"file://{os.getcwd()}/forerun-{version}.tar.gz"

    @property
    def options(self):
        libraries = self.spec["lapack"].libs + self.spec["blas"].libs
        return [
            f"MPICC={self.spec['mpi'].mpicc}",
            f"BLAS_LIBS={libraries.ld_flags}",
            f"PREFIX={self.prefix}",
        ]

    @property
    def build_targets(self):
        return ["build/forerun-calibrate"] + self.options

    @property
    def install_targets(self):
        return ["install-calibrate"] + self.options
