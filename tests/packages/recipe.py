"""The make commands of a recipe, one a line, with what Spack or EasyBuild would bring to it stood in for.
    recipe.py spack|easybuild PREFIX      in an unpacked tarball"""
import sys
import types

kind, prefix = sys.argv[1:]


class Libraries(list):
    def __add__(self, other):
        return Libraries(list(self) + other)

    ld_flags = property(lambda self: " ".join("-l" + name for name in self))


def spack():
    """As spack.build_systems.makefile: make with build_targets, then with install_targets."""
    directives = types.ModuleType("spack.package")
    said = []
    for name in ("version", "variant", "depends_on", "license"):
        setattr(directives, name, lambda *words, _name=name, **more: said.append((_name, words)))
    systems = types.ModuleType("spack_repo.builtin.build_systems.makefile")
    systems.MakefilePackage = type("MakefilePackage", (), {})
    for module in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        sys.modules[module] = types.ModuleType(module)
    sys.modules["spack.package"] = directives
    sys.modules[systems.__name__] = systems
    scope = {}
    with open("deploy/spack/package.py") as file:
        exec(compile(file.read(), file.name, "exec"), scope)
    package = scope["ForerunCalibrate"]()
    package.prefix = prefix
    package.spec = {
        "mpi": types.SimpleNamespace(mpicc="mpicc"),
        "blas": types.SimpleNamespace(libs=Libraries(["blas"])),
        "lapack": types.SimpleNamespace(libs=Libraries(["lapack"])),
    }
    assert package.url_for_version("1.2.3").endswith("/forerun-1.2.3.tar.gz")
    assert {"mpi", "blas", "lapack", "zlib-api"} <= {words[0] for name, words in said if name == "depends_on"}
    for targets in (package.build_targets, package.install_targets):
        yield "make " + " ".join(f"'{word}'" for word in targets)


def easybuild():
    """As the easyblock ConfigureMake: make with buildopts, then install_cmd with installopts."""
    import glob

    (path,) = glob.glob("deploy/easybuild/*.eb")
    recipe = {}
    with open(path) as file:
        exec(compile(file.read(), path, "exec"), recipe)
    assert path.endswith("/{name}-{version}-{0[name]}-{0[version]}.eb".format(recipe["toolchain"], **recipe))
    assert recipe["easyblock"] == "ConfigureMake" and recipe["skipsteps"] == ["configure"]
    yield "make " + recipe["buildopts"]
    yield (recipe["install_cmd"] + " " + recipe["installopts"]).replace("%(installdir)s", prefix)


for command in {"spack": spack, "easybuild": easybuild}[kind]():
    print(command)
