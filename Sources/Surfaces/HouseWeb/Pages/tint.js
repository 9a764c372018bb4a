// The colour of the page behind the picture: hue and strength of the picture's own colours. Lightness is the theme's, so that text
// keeps its contrast.

const SIZE = 12;
let shown = null;

/** Takes the tint of a picture; null for none. */
export function tint(address) {
  if (address === shown) return;
  shown = address;
  if (!address || new URL(address, location.href).origin !== location.origin) return apply(60, 0.01);
  const image = new Image();
  image.addEventListener("load", () => address === shown && apply(...measure(image)));
  image.src = address;
}

function apply(hue, strength) {
  document.documentElement.style.setProperty("--tint-hue", hue.toFixed(0));
  document.documentElement.style.setProperty("--tint-strength", strength.toFixed(3));
}

/** Returns the mean hue in degrees, weighted by saturation, and a strength up to 0.09. */
function measure(image) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0, SIZE, SIZE);
  const { data } = context.getImageData(0, 0, SIZE, SIZE);
  let [x, y] = [0, 0];
  for (let i = 0; i < data.length; i += 4) {
    // The opponent axes red-green and yellow-blue.
    x += (data[i] - data[i + 1]) / 255;
    y += ((data[i] + data[i + 1]) / 2 - data[i + 2]) / 255;
  }
  const pixels = data.length / 4;
  const hue = (Math.atan2(y, x) * 180) / Math.PI + 20;
  return [(hue + 360) % 360, Math.min(0.09, (Math.hypot(x, y) / pixels) * 0.35)];
}
