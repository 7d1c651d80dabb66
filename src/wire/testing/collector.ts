import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A span as it arrived, with the attributes of the program that sent it. */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  /** Empty for the first span of a trace. */
  parentSpanId: string
  name: string
  /** Milliseconds since 1970. */
  start: number
  end: number
  attributes: Record<string, string | number>
  resource: Record<string, string | number>
}

export interface Collector {
  url: string
  spans: ReceivedSpan[]
  authorizations: Set<string>
  close(): Promise<void>
}

/** Receives traces by OTLP over HTTP with protobuf. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const authorizations = new Set<string>()
  const server = createServer((request, reply) => {
    authorizations.add(String(request.headers.authorization))
    void buffer(request).then((body) => {
      if (request.url !== '/v1/traces') return void reply.writeHead(404).end()
      spans.push(...readTraces(body))
      reply.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    authorizations,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

type Field = [number: number, value: Buffer | bigint]

/** The fields of a message (protobuf.dev, Encoding): the wire types varint, 64 bits and bytes. */
function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0
  const varint = () => {
    for (let value = 0n, shift = 0n; ; shift += 7n) {
      const byte = message[at++]!
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const bytes = (length: number) => message.subarray(at, (at += length))
  while (at < message.length) {
    const tag = Number(varint())
    const type = tag & 7
    if (![0, 1, 2, 5].includes(type)) throw new Error(`unknown wire type ${type}`)
    if (type === 0) yield [tag >> 3, varint()]
    else yield [tag >> 3, bytes(type === 1 ? 8 : type === 5 ? 4 : Number(varint()))]
  }
}

const all = (message: Buffer, wanted: number): Buffer[] =>
  [...fieldsOf(message)].flatMap(([number, value]) => (number === wanted && typeof value !== 'bigint' ? [value] : []))
const one = (message: Buffer, wanted: number): Buffer => all(message, wanted)[0] ?? Buffer.alloc(0)

/** Field numbers of opentelemetry/proto/trace/v1/trace.proto. */
function readTraces(request: Buffer): ReceivedSpan[] {
  return all(request, 1).flatMap((resourceSpans) => {
    const resource = attributesOf(all(one(resourceSpans, 1), 1))
    return all(resourceSpans, 2).flatMap((scopeSpans) =>
      all(scopeSpans, 2).map((span) => ({
        traceId: one(span, 1).toString('hex'),
        spanId: one(span, 2).toString('hex'),
        parentSpanId: one(span, 4).toString('hex'),
        name: one(span, 5).toString(),
        start: Number(one(span, 7).readBigUInt64LE()) / 1e6,
        end: Number(one(span, 8).readBigUInt64LE()) / 1e6,
        attributes: attributesOf(all(span, 9)),
        resource,
      })),
    )
  })
}

/** AnyValue: string is field 1, int field 3, double field 4. */
function attributesOf(pairs: Buffer[]): Record<string, string | number> {
  const read = (value: Buffer): string | number => {
    const [number, raw] = [...fieldsOf(value)][0] ?? [1, Buffer.alloc(0)]
    if (typeof raw === 'bigint') return Number(raw)
    return number === 4 ? raw.readDoubleLE() : raw.toString()
  }
  return Object.fromEntries(pairs.map((pair) => [one(pair, 1).toString(), read(one(pair, 2))]))
}
