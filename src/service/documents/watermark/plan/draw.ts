import sharp, { type Sharp } from 'sharp'
import type { Step } from './outline.ts'
import { HALO_WIDTH, type Layer, type Mark, type PageSize } from './placement.ts'

/** Returns the mark alone as an SVG, as large as an image in pixels. */
export function toSvg({ page, layers }: Mark, { width, height }: PageSize): string {
  const drawn = layers.map(layerSvg).join('')
  const transform = `scale(${width / page.width} ${-height / page.height}) translate(0 ${-page.height})`
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}"><g transform="${transform}">${drawn}</g></svg>`
}

function layerSvg({ steps, color, halo, haloIs, opacity, places }: Layer, index: number): string {
  const path = `<path id="l${index}" d="${pathData(steps)}"/>`
  const uses = places.map(
    (matrix) => `<use xlink:href="#l${index}" transform="matrix(${matrix.map(short).join(' ')})"/>`,
  )
  const behind =
    haloIs === 'around'
      ? `<g fill="none" stroke="${halo}" stroke-width="${HALO_WIDTH * 2}" stroke-linejoin="round">${uses.join('')}</g>`
      : `<g fill="${halo}">${uses.join('').replaceAll('/>', ` x="${HALO_WIDTH}" y="${-HALO_WIDTH}"/>`)}</g>`
  return `<defs>${path}</defs><g opacity="${opacity}">${behind}<g fill="${color}">${uses.join('')}</g></g>`
}

const pathData = (steps: readonly Step[]): string =>
  steps.map(([kind, ...points]) => `${kind}${points.map(short).join(' ')}`).join('')

/** Four decimals are enough for a mark of 40,000 pixels. */
const short = (value: number): string => String(Math.round(value * 1e4) / 1e4)

/** Draws the mark as pixels on a transparent background, for images of any kind. */
export function drawMark(mark: Mark, size: PageSize): Sharp {
  return sharp(Buffer.from(toSvg(mark, size)), { unlimited: true }).ensureAlpha()
}
