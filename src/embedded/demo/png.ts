import { crc32, deflateSync } from 'node:zlib'

type Colour = readonly [red: number, green: number, blue: number]

export interface Block {
  x: number
  y: number
  width: number
  height: number
  colour: Colour
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const TRUE_COLOUR_8_BIT = [8, 2, 0, 0, 0]

/** A picture of blocks on a ground, later ones above earlier ones. */
export function png(width: number, height: number, ground: Colour, blocks: Block[]): Uint8Array {
  const stride = width * 3 + 1
  const pixels = Buffer.alloc(stride * height)
  const whole = { x: 0, y: 0, width, height, colour: ground }
  for (const block of [whole, ...blocks]) {
    for (let y = block.y; y < block.y + block.height; y++) {
      for (let x = block.x; x < block.x + block.width; x++) pixels.set(block.colour, y * stride + 1 + x * 3)
    }
  }
  const header = Buffer.alloc(8)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([header, Buffer.from(TRUE_COLOUR_8_BIT)])),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(4)
  frame.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([frame, body, check])
}
