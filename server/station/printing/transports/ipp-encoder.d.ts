/** What is used of the library, which has no types of its own. */
declare module 'ipp-encoder' {
  /** A value in a message; texts may come with their language. */
  type IppValue = string | number | boolean | Date | { readonly lang: string; readonly value: string }

  interface IppAttribute {
    readonly tag: number
    readonly name: string
    readonly value: IppValue | readonly IppValue[]
  }

  interface IppGroup {
    readonly tag: number
    readonly attributes: readonly IppAttribute[]
  }

  interface IppMessage {
    readonly requestId: number
    readonly groups?: readonly IppGroup[]
    readonly version?: { readonly major: number; readonly minor: number }
  }

  type IppRequest = IppMessage & { readonly operationId: number }
  type IppResponse = IppMessage & { readonly statusCode: number }

  interface Codec<T> {
    readonly decode: ((bytes: Buffer) => T & { readonly groups: readonly IppGroup[] }) & {
      readonly bytes: number
    }
    encode(message: T, into: Buffer): Buffer
    encodingLength(message: T): number
  }

  export const request: Codec<IppRequest>
  export const response: Codec<IppResponse>
}
