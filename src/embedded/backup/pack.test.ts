import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pack, type PackedFile, unpack } from './pack.ts'

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function readAll(bytes: Buffer, size: number): Promise<PackedFile[]> {
  const files: PackedFile[] = []
  for await (const file of unpack(inPieces(bytes, size))) files.push(file)
  return files
}

test('packed files come out as they went in, however the stream is cut, and a vanished one is left out, and one that grew is cut', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-pack-'))
  const contents = { empty: '', 'two words': 'a\nb\n', ü: '\n\n12 x\n' }
  for (const [name, content] of Object.entries(contents)) await writeFile(join(folder, name), content)
  await writeFile(join(folder, 'grown'), '0123456789 and more')
  const chunks: Buffer[] = []
  for await (const chunk of pack(folder, [...Object.keys(contents), 'gone', 'grown'], 10)) chunks.push(chunk)
  for (const size of [1, 3, 1000]) {
    const files = await readAll(Buffer.concat(chunks), size)
    expect(Object.fromEntries(files.map(({ path, bytes }) => [path, bytes.toString()]))).toEqual({
      ...contents,
      grown: '0123456789',
    })
  }
  await rm(folder, { recursive: true })
})

test('a pack that is cut, is none or leads elsewhere is refused', async () => {
  await expect(readAll(Buffer.from('5 a\nabc'), 3)).rejects.toThrow('ends early')
  await expect(readAll(Buffer.from('<html>\n'), 3)).rejects.toThrow('something else')
  for (const path of ['../a', '/etc/a', 'b/../../a']) {
    await expect(readAll(Buffer.from(`1 ${path}\na`), 100)).rejects.toThrow('outside of its folders')
  }
})
