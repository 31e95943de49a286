import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type IppAttribute, request, response } from 'ipp-encoder'

/** How an IPP printer behaves. */
export type IppBehaviour =
  | 'prints'
  | 'has-no-paper'
  | 'is-stopped'
  | 'is-paused'
  | 'takes-nothing'
  | 'refuses'
  | 'aborts'
  | 'hangs-up'

/** An IPP printer of a test. */
export interface IppSimulator {
  /** Its address, as it is typed. */
  readonly address: string
  behaviour: IppBehaviour
  formats: readonly string[]
  /** What it was sent: the format, and the document. */
  readonly documents: readonly { readonly format: string; readonly bytes: Buffer }[]
  close(): Promise<void>
}

const integer = 0x21
const boolean = 0x22
const keyword = 0x44
const enumeration = 0x23
const mime = 0x49

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** What a printer that encrypts proves itself with. */
interface Proof {
  readonly cert: string
  readonly key: string
}

/** Starts a printer that speaks IPP; with a proof of who it is IPPS. */
export async function startIpp(proof?: Proof): Promise<IppSimulator> {
  const documents: { format: string; bytes: Buffer }[] = []
  let behaviour: IppBehaviour = 'prints'
  let formats: readonly string[] = ['application/pdf', 'image/png']
  let looks = 0

  function answerTo(body: Buffer): { readonly status: number; readonly attributes: readonly IppAttribute[] } {
    const { operationId, groups } = request.decode(body)
    const asked = groups.flatMap(({ attributes }) => attributes)
    if (operationId === 0x000b) {
      const isEmpty = behaviour === 'has-no-paper'
      const isPaused = behaviour === 'is-paused'
      const state = isEmpty || isPaused || behaviour === 'is-stopped' ? 5 : 3
      const reason = isEmpty ? 'media-empty-error' : isPaused ? 'paused' : 'none'
      return {
        status: 0,
        attributes: [
          { tag: enumeration, name: 'printer-state', value: state },
          { tag: keyword, name: 'printer-state-reasons', value: [reason] },
          { tag: boolean, name: 'printer-is-accepting-jobs', value: behaviour !== 'takes-nothing' },
          { tag: mime, name: 'document-format-supported', value: formats },
        ],
      }
    }
    if (operationId === 0x0002) {
      const format = asked.find(({ name }) => name === 'document-format')?.value
      documents.push({ format: String(format), bytes: body.subarray(request.decode.bytes) })
      looks = 0
      return behaviour === 'refuses'
        ? { status: 0x040a, attributes: [] }
        : {
            status: 0,
            attributes: [
              { tag: integer, name: 'job-id', value: documents.length },
              { tag: enumeration, name: 'job-state', value: 3 },
            ],
          }
    }
    looks += 1
    const over = behaviour === 'aborts' ? 8 : 9
    return {
      status: 0,
      attributes: [{ tag: enumeration, name: 'job-state', value: looks > 1 ? over : 5 }],
    }
  }

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await bodyOf(incoming)
    if (behaviour === 'hangs-up' && request.decode(body).operationId === 0x0002)
      return void outgoing.destroy()
    const { status, attributes } = answerTo(body)
    const message = { statusCode: status, requestId: 1, groups: [{ tag: 0x04, attributes }] }
    outgoing.setHeader('Content-Type', 'application/ipp')
    outgoing.end(response.encode(message, Buffer.alloc(response.encodingLength(message))))
  }
  const server = proof ? createSecureServer(proof, serve) : createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `${proof ? 'ipps' : 'ipp'}://127.0.0.1:${(server.address() as AddressInfo).port}/ipp/print`,
    documents,
    get behaviour() {
      return behaviour
    },
    set behaviour(wanted) {
      behaviour = wanted
    },
    get formats() {
      return formats
    },
    set formats(wanted) {
      formats = wanted
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
