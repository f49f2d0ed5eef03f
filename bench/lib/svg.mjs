// A small drawing surface: an SVG on a card of its own, so that it reads on light and dark pages alike.

export const INK = '#1b2433';
export const MUTED = '#667085';
const CARD = '#fafaf8';
const LINES = '#d9dbe0';

/** Of series, by their order; told apart in grey too, and by their marks. */
export const COLOURS = ['#4a5568', '#a0a8b5', '#c8453b', '#e0912b', '#2f7d5b', '#3b6fb5', '#8a5aa8'];

export class Drawing {
  #parts = [];

  constructor(width, height, title) {
    this.width = round(width);
    this.height = round(height);
    this.title = title;
  }

  text(x, y, text, { size = 12, anchor = 'start', fill = INK, weight = 'normal', turn = 0 } = {}) {
    const rotate = turn === 0 ? '' : ` transform="rotate(${turn} ${round(x)} ${round(y)})"`;
    const bold = weight === 'normal' ? '' : ` font-weight="${weight}"`;
    const at = `x="${round(x)}" y="${round(y)}" font-size="${size}" text-anchor="${anchor}" fill="${fill}"`;
    this.#parts.push(`<text ${at}${bold}${rotate}>${escaped(text)}</text>`);
  }

  line(points, { stroke = LINES, width = 1, dash = '' } = {}) {
    const path = points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ');
    const dashes = dash === '' ? '' : ` stroke-dasharray="${dash}"`;
    this.#parts.push(`<polyline points="${path}" fill="none" stroke="${stroke}" stroke-width="${width}"${dashes}/>`);
  }

  rect(x, y, width, height, fill) {
    this.#parts.push(`<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="${fill}"/>`);
  }

  /** A PNG, held by the file itself. */
  image(x, y, width, height, png) {
    const at = `x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`;
    this.#parts.push(`<image ${at} href="data:image/png;base64,${png.toString('base64')}"/>`);
  }

  /** Circle, square, triangle, diamond in turn. */
  mark(x, y, index, fill) {
    const shapes = [
      `<circle cx="${round(x)}" cy="${round(y)}" r="4" fill="${fill}"/>`,
      `<rect x="${round(x - 3.5)}" y="${round(y - 3.5)}" width="7" height="7" fill="${fill}"/>`,
      `<path d="M${round(x)} ${round(y - 5)}l4.6 8h-9.2z" fill="${fill}"/>`,
      `<path d="M${round(x)} ${round(y - 5)}l5 5-5 5-5-5z" fill="${fill}"/>`,
    ];
    this.#parts.push(shapes[index % shapes.length]);
  }

  toString() {
    const { width, height } = this;
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="Helvetica, Arial, sans-serif">`,
      `<title>${escaped(this.title)}</title>`,
      `<rect width="${width}" height="${height}" rx="14" fill="${CARD}" stroke="${LINES}"/>`,
      ...this.#parts,
      '</svg>\n',
    ].join('\n');
  }
}

const round = (value) => Number(value.toFixed(1));

const escaped = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
