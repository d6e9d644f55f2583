// Numbers for people: three digits, a true minus sign, and no certainty.

function number(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) {
    const [digits, power] = value.toExponential(2).split("e");
    return `${signed(String(Number(digits)))}·10${raised(Number(power))}`;
  }
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(size)));
  return signed(String(Number(value.toFixed(decimals))));
}

function signed(text) {
  return text.replace("-", "−");
}

function raised(power) {
  const digits = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
  return [...String(power)].map((digit) => digits[digit]).join("");
}

function probability(value) {
  if (value > 0.99) return "> 0.99";
  if (value < 0.01) return "< 0.01";
  return value.toFixed(2);
}

function pValue(value) {
  if (value < 1e-10) return "p < 10⁻¹⁰";
  return `p = ${number(Number(value.toPrecision(2)))}`;
}

function count(amount, one, many = `${one}s`) {
  return `${amount.toLocaleString("en")} ${amount === 1 ? one : many}`;
}

function fixed(value) {
  const text = value.toFixed(2);
  return signed(Number(text) === 0 ? "0.00" : text);
}

/** Powers of ten within a range, with 2 and 5 times of them where there are few. */
function logarithmicTicks(low, high) {
  const within = (factors) => {
    const found = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) found.push(...factors.map((m) => m * 10 ** power));
    return found.filter((at) => at >= low * 0.999 && at <= high * 1.001);
  };
  const powers = within([1]);
  if (powers.length > 6) return powers.filter((_, k) => k % Math.ceil(powers.length / 6) === 0);
  return powers.length > 2 ? powers : within([1, 2, 5]).slice(0, 8);
}

/** Round places within a range, about as many as asked for. */
function ticks(low, high, most = 5) {
  if (!(high > low)) return [low];
  const raw = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.999);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k * step);
  return found;
}
