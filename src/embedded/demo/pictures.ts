import sharp from 'sharp'

// Draws the photographs and plans of the demo, without letters: a machine may have no fonts.

const WIDTH = 1280
const HEIGHT = 800

type Format = 'jpeg' | 'png'

async function drawn(format: Format, content: string): Promise<Uint8Array> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${content}</svg>`
  const image = sharp(Buffer.from(svg)).flatten()
  return format === 'png' ? image.png({ palette: true }).toBuffer() : image.jpeg({ quality: 78 }).toBuffer()
}

const box = (x: number, y: number, width: number, height: number, fill: string, more = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`

const gradient = (id: string, ...colours: string[]) =>
  `<linearGradient id="${id}" x2="0" y2="1">${colours.map((colour, at) => `<stop offset="${at / (colours.length - 1)}" stop-color="${colour}"/>`).join('')}</linearGradient>`

const CONTAINERS = ['#a4452c', '#2f5d7c', '#6d7f3b', '#c08a2d', '#7a3b52', '#3d6f66']

/** Draws stacked rows of containers, the same every time. */
const stacks = (x: number, y: number, columns: number, rows: number, width = 84, height = 34) =>
  Array.from({ length: columns * rows }, (_, at) => {
    const [column, row] = [at % columns, Math.floor(at / columns)]
    if ((column * 7 + row * 5) % 4 === 3 && row === rows - 1) return ''
    const colour = CONTAINERS[(column * 5 + row * 3) % CONTAINERS.length] ?? '#888'
    return box(x + column * (width + 4), y - (row + 1) * (height + 2), width, height, colour)
  }).join('')

const crane = (x: number, base: number, scale = 1) =>
  `<g transform="translate(${x} ${base}) scale(${scale})" stroke="#c9602d" stroke-width="9" fill="none">` +
  '<path d="M0 0V-250M90 0V-250M-10 -250H110M0 -120H90M0 0L90 -120M90 0L0 -120M-190 -262H230M45 -250V-340L-190 -262M45 -340L230 -262M-120 -262V-150"/></g>'

const sky = (dusk: boolean) =>
  `<defs>${gradient('sky', ...(dusk ? ['#26405e', '#b5707a', '#f0b978'] : ['#6fa3c9', '#cfe2ec']))}${gradient('water', ...(dusk ? ['#b77a62', '#23384c'] : ['#7aa5b4', '#2d5a6c']))}</defs>${box(0, 0, WIDTH, 520, 'url(#sky)')}${box(0, 520, WIDTH, 280, 'url(#water)')}`

const ripples = Array.from({ length: 26 }, (_, at) =>
  box((at * 173) % 1180, 540 + ((at * 59) % 240), 40 + ((at * 31) % 90), 2, '#ffffff', 'opacity="0.25"'),
).join('')

const photo = (content: string, dusk = false) => drawn('jpeg', sky(dusk) + content + ripples)

export const quayByDay = () =>
  photo(
    box(0, 470, WIDTH, 60, '#8d8a80') +
      box(0, 520, WIDTH, 18, '#5c5a53') +
      stacks(60, 470, 7, 4) +
      stacks(880, 470, 4, 3) +
      crane(330, 470, 1.2) +
      crane(760, 470, 1.2),
  )

export const quayAtDusk = () =>
  photo(
    `<circle cx="930" cy="430" r="54" fill="#ffd9a0"/>${box(0, 470, WIDTH, 60, '#3d3a3a')}${stacks(520, 470, 8, 3)}${crane(180, 470, 1.3)}${crane(420, 470, 1.1)}<path d="M820 560h330l-36 56H870z" fill="#1c2530"/>${box(960, 510, 120, 50, '#e6e0d6')}`,
    true,
  )

export const warehouse = () =>
  drawn(
    'jpeg',
    `<defs>${gradient('wall', '#d9dcd8', '#aab0ad')}${gradient('floor', '#8f9490', '#5f6461')}</defs>${box(0, 0, WIDTH, 560, 'url(#wall)')}${box(0, 560, WIDTH, 240, 'url(#floor)')}` +
      Array.from(
        { length: 7 },
        (_, at) =>
          `${box(at * 190 - 20, 0, 26, 570, '#6c7a80')}<path d="M${at * 190 - 8} 40l95 70 95-70" stroke="#6c7a80" stroke-width="12" fill="none"/>`,
      ).join('') +
      stacks(120, 600, 10, 3, 96, 56) +
      Array.from({ length: 5 }, (_, at) => box(120 + at * 240, 90, 90, 12, '#fffbe8')).join(''),
  )

export const jointOfQuayWall = () =>
  drawn(
    'jpeg',
    `<defs>${gradient('wet', '#5d6f68', '#1f3335')}</defs>${box(0, 0, WIDTH, HEIGHT, 'url(#wet)')}` +
      Array.from({ length: 40 }, (_, at) =>
        box(
          (at % 8) * 162 + (Math.floor(at / 8) % 2) * 80 - 80,
          Math.floor(at / 8) * 162,
          154,
          154,
          at % 3 === 0 ? '#6b7c76' : '#7b8a83',
          'opacity="0.55"',
        ),
      ).join('') +
      '<path d="M640 0c-30 120 46 180 10 290s36 150-8 260 20 160-6 250" stroke="#0d1718" stroke-width="16" fill="none"/>' +
      Array.from(
        { length: 30 },
        (_, at) =>
          `<circle cx="${(at * 211) % 1280}" cy="${(at * 137) % 800}" r="${4 + (at % 5)}" fill="#cfe0da" opacity="0.3"/>`,
      ).join(''),
  )

/** Draws the terminal from above: water, quay, yard, three sheds, and behind them the railway and the road. */
export const sitePlan = () =>
  drawn(
    'png',
    box(0, 0, WIDTH, HEIGHT, '#b4d0d6') +
      box(0, 220, WIDTH, 580, '#e6e1d2') +
      box(0, 220, WIDTH, 26, '#8d8a80') +
      [
        [80, 330, 300, 160],
        [450, 330, 300, 160],
        [820, 330, 360, 220],
      ]
        .map(([x = 0, y = 0, w = 0, h = 0]) => box(x, y, w, h, '#0b5d66', 'stroke="#083f45" stroke-width="3"'))
        .join('') +
      Array.from({ length: 44 }, (_, at) =>
        box(80 + (at % 22) * 52, 600 + Math.floor(at / 22) * 34, 46, 26, CONTAINERS[at % 6] ?? '#888'),
      ).join('') +
      [140, 420, 700, 980].map((x) => box(x, 190, 30, 90, '#c9602d')).join('') +
      `<path d="M0 700H1280M0 712H1280" stroke="#555" stroke-width="3" stroke-dasharray="14 6"/>${box(0, 740, WIDTH, 34, '#9aa0a3')}<path d="M0 757H1280" stroke="#fff" stroke-width="3" stroke-dasharray="30 20"/>` +
      '<path d="M40 240H1240V690H40z" fill="none" stroke="#b3261e" stroke-width="4" stroke-dasharray="18 10"/>',
  )
