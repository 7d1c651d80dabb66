import { deflateSync } from 'node:zlib'
import type { Step } from './outline.ts'
import { HALO_WIDTH, type Layer, type Mark } from './placement.ts'

const OPERATORS: Record<Step[0], string> = { M: 'm', L: 'l', C: 'c', Z: 'h' }

/** In the unit of the pages that it is laid over: qpdf makes up for a difference. */
type PdfMark = Mark & { userUnit: number }

/** A PDF of marks alone, a page each: vectors, so that they are sharp in print, and the same shapes as on page images. */
export function toPdf(marks: readonly PdfMark[]): Buffer {
  const objects: Buffer[] = []
  const add = (content: string | Buffer): string => {
    objects.push(Buffer.from(content))
    return `${objects.length} 0 R`
  }
  const catalog = add('<</Type/Catalog/Pages 2 0 R>>')
  add('')
  const kids = marks.map((mark) => addPage(mark, add))
  objects[1] = Buffer.from(`<</Type/Pages/Count ${kids.length}/Kids[${kids.join(' ')}]>>`)
  return assemble(objects, catalog)
}

type Add = (content: string | Buffer) => string

function addPage({ page: { width, height }, layers, userUnit }: PdfMark, add: Add): string {
  const box = `[0 0 ${number(width)} ${number(height)}]`
  const groups = layers.map((layer) => addLayer(layer, box, add))
  const states = layers.map(({ opacity }, index) => `/G${index}<</CA ${opacity}/ca ${opacity}>>`)
  const names = groups.map((group, index) => `/L${index} ${group}`)
  const content = add(stream('', layers.map((_, index) => `q /G${index} gs /L${index} Do Q`).join('\n')))
  const resources = `<</XObject<<${names.join('')}>>/ExtGState<<${states.join('')}>>>>`
  return add(
    `<</Type/Page/Parent 2 0 R/MediaBox${box}/UserUnit ${number(userUnit)}/Resources${resources}/Contents ${content}>>`,
  )
}

/** As a group: where halo and letters overlap, nothing shines through. */
function addLayer(layer: Layer, box: string, add: Add): string {
  const { steps, color, halo, haloIs, places } = layer
  const path = pathOf(steps)
  const form = (paint: string) =>
    add(stream(`/Type/XObject/Subtype/Form/BBox[-9999 -9999 9999 9999]`, `${path} ${paint}`))
  const fill = form('f')
  const behind = haloIs === 'around' ? form('S') : fill
  const [dx, dy] = haloIs === 'around' ? [0, 0] : [HALO_WIDTH, -HALO_WIDTH]
  const draw = (name: string, x: number, y: number) =>
    places.map(([a, b, c, d, e, f]) => {
      const moved = [e + a * x + c * y, f + b * x + d * y]
      return `q ${[a, b, c, d, ...moved].map(number).join(' ')} cm ${name} Do Q`
    })
  const content = [
    `1 j ${HALO_WIDTH * 2} w ${rgb(halo)} RG ${rgb(halo)} rg`,
    ...draw('/B', dx, dy),
    `${rgb(color)} rg`,
    ...draw('/F', 0, 0),
  ]
  const group = `/Type/XObject/Subtype/Form/BBox${box}/Group<</S/Transparency/CS/DeviceRGB>>`
  return add(stream(`${group}/Resources<</XObject<</F ${fill}/B ${behind}>>>>`, content.join('\n')))
}

const pathOf = (steps: readonly Step[]): string =>
  steps.map(([kind, ...points]) => `${points.map(number).join(' ')} ${OPERATORS[kind]}`).join('\n')

/** No exponents: PDF does not know them. */
const number = (value: number): string => String(Number(value.toFixed(4)))

const rgb = (color: string): string =>
  [1, 3, 5].map((at) => number(Number.parseInt(color.slice(at, at + 2), 16) / 255)).join(' ')

function stream(dictionary: string, content: string): Buffer {
  const bytes = deflateSync(content)
  const head = `<<${dictionary}/Filter/FlateDecode/Length ${bytes.length}>>stream\n`
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream')])
}

function assemble(objects: readonly Buffer[], catalog: string): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')]
  let at = parts[0]?.length ?? 0
  const offsets = objects.map((object, index) => {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    parts.push(part)
    at += part.length
    return at - part.length
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<</Size ${size}/Root ${catalog}>>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(end)])
}
