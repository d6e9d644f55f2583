"""What the installed wheel must do where there is no Rust. Arguments: the licence files that it must bring."""

import importlib.metadata
import shutil
import sys

import oslow

for program in ("cargo", "rustc"):
    assert shutil.which(program) is None, f"{program} is in reach: this proves nothing"

installed = importlib.metadata.version("oslow")
assert oslow.__version__ == installed, (oslow.__version__, installed)

files = importlib.metadata.files("oslow") or []
licences = {file.name for file in files if "licenses" in file.parts and file.read_text(encoding="utf-8").strip()}
missing = set(sys.argv[1:]) - licences
assert not missing, f"the wheel lacks {sorted(missing)}"

data = oslow.simulate(
    graph="path", nodes=3, mechanism="linear", noise="laplace", additive=True, rows=300, seed=5
)
found = oslow.DirectLingam(seed=0, progress=False).fit(data)
place = {name: k for k, name in enumerate(found.order_)}
assert data.edges and all(place[cause] < place[effect] for cause, effect in data.edges), found.order_
print(f"oslow {installed} from Python {sys.version.split()[0]}: {' → '.join(found.order_)}")
