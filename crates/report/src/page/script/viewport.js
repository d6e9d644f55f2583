// A picture that can be moved and zoomed: the view box is what is seen of it.

const FARTHEST = 12;
/** Small pictures are not shown larger than this: units of the picture in a pixel. */
const LARGEST = 0.62;

class Viewport {
  constructor(frame, picture) {
    Object.assign(this, { frame, picture });
    const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
    this.whole = { width, height };
    frame.style.setProperty("--height", `${Math.round(height / LARGEST) + 60}px`);
    // Where the picture fills the width, more height would be empty.
    frame.style.setProperty("--across", `calc(100vw * ${(height / width).toFixed(3)} + 60px)`);
    this.fit();
    this.listen();
    new ResizeObserver(() => this.moved || this.fit()).observe(frame);
  }

  /** Shows everything, small pictures no larger than they are. */
  fit() {
    const { clientWidth, clientHeight } = this.frame;
    const { width, height } = this.whole;
    const factor = Math.max(width / (clientWidth || width), height / (clientHeight || height), LARGEST);
    this.box = { width: (clientWidth || width) * factor, height: (clientHeight || height) * factor };
    this.box.x = (width - this.box.width) / 2;
    this.box.y = (height - this.box.height) / 2;
    this.moved = false;
    this.draw();
  }

  draw() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = undefined;
      const { x, y, width, height } = this.box;
      this.picture.setAttribute("viewBox", `${x.toFixed(1)} ${y.toFixed(1)} ${width.toFixed(1)} ${height.toFixed(1)}`);
    });
  }

  /** Zooms by a factor about a place of the frame, given as shares of its width and height. */
  zoom(factor, across = 0.5, down = 0.5) {
    const box = this.box;
    const width = Math.min(4 * this.whole.width + 400, Math.max(this.frame.clientWidth / FARTHEST, box.width / factor));
    const height = (box.height * width) / box.width;
    box.x += (box.width - width) * across;
    box.y += (box.height - height) * down;
    Object.assign(box, { width, height });
    this.moved = true;
    this.draw();
  }

  /** Moves by pixels of the screen. */
  move(right, down) {
    this.box.x -= (right * this.box.width) / this.frame.clientWidth;
    this.box.y -= (down * this.box.height) / this.frame.clientHeight;
    this.moved = true;
    this.draw();
  }

  /** Shows a part of the picture and a margin. */
  show({ x, y, width, height }) {
    const { clientWidth, clientHeight } = this.frame;
    const factor = Math.max(width / clientWidth, height / clientHeight, LARGEST) * 1.08;
    this.box = { width: clientWidth * factor, height: clientHeight * factor };
    this.box.x = x + (width - this.box.width) / 2;
    this.box.y = y + (height - this.box.height) / 2;
    this.moved = true;
    this.draw();
  }

  /** Brings a part of the picture to the middle. */
  centre(part) {
    const { x, y, width, height } = part.getBBox();
    const near = Math.min(this.box.width, 1.4 * this.frame.clientWidth);
    this.box.height *= near / this.box.width;
    this.box.width = near;
    this.box.x = x + width / 2 - this.box.width / 2;
    this.box.y = y + height / 2 - this.box.height / 2;
    this.moved = true;
    this.draw();
  }

  listen() {
    const frame = this.frame;
    let from = null;
    frame.addEventListener("pointerdown", (event) => {
      if (event.button === 0) from = { x: event.clientX, y: event.clientY, moved: false };
    });
    frame.addEventListener("pointermove", (event) => {
      if (!from) return;
      const [right, down] = [event.clientX - from.x, event.clientY - from.y];
      if (!from.moved && Math.hypot(right, down) < 4) return;
      if (!from.moved) frame.setPointerCapture(event.pointerId);
      this.move(right, down);
      from = { x: event.clientX, y: event.clientY, moved: true };
      frame.classList.add("moving");
    });
    const end = () => {
      from = null;
      frame.classList.remove("moving");
    };
    frame.addEventListener("pointerup", end);
    frame.addEventListener("pointercancel", end);
    // The wheel scrolls the page until the picture was touched: nobody wants to be caught in it.
    frame.addEventListener("wheel", (event) => {
      if (!(event.ctrlKey || event.metaKey || frame.contains(document.activeElement))) return;
      event.preventDefault();
      const place = frame.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 400), (event.clientX - place.left) / place.width, (event.clientY - place.top) / place.height);
    }, { passive: false });
  }
}
