import { DIGEST, HEAP, JOB, MESSAGE, ROUND_CONSTANTS, roundConstants, sha256Module } from './code.ts'

const PAGE = 65536
/** Memory that each thread keeps for hashing. A larger table gets a temporary instance. Untouched pages cost nothing. */
const RESIDENT_PAGES = 64

/** An instance of the hashing module. */
export interface Hasher {
  /** The memory. From HEAP on it belongs to the caller. */
  readonly bytes: Buffer
  readonly words: Int32Array
  /** Hashes the padded message at MESSAGE and writes the digest to DIGEST. */
  one(blocks: number): void
  /** Runs groups of four jobs (code.ts). */
  run(jobs: number, groups: number): void
}

const vectorCode = sha256Module(true)
/** Some virtual machines hide the vector instructions of their processor. Jobs then run one by one. */
const hasVectors = WebAssembly.validate(vectorCode)
const modules = {
  vector: hasVectors ? new WebAssembly.Module(vectorCode) : undefined,
  scalar: hasVectors ? undefined : new WebAssembly.Module(sha256Module(false)),
}

/** @internal Instantiates the module with `pages` pages of memory. Tests pass `vectors` false to run without vector instructions. */
export const createHasher = (pages: number, vectors = hasVectors): Hasher => {
  const module = vectors ? modules.vector! : (modules.scalar ?? new WebAssembly.Module(sha256Module(false)))
  const { memory, one, run } = new WebAssembly.Instance(module).exports as unknown as {
    memory: WebAssembly.Memory
    one: Hasher['one']
    run?: Hasher['run']
  }
  memory.grow(pages - 1)
  new Uint32Array(memory.buffer).set(roundConstants(), ROUND_CONSTANTS / 4)
  const bytes = Buffer.from(memory.buffer)
  const words = new Int32Array(memory.buffer)
  return { bytes, words, one, run: run ?? ((jobs, groups) => runOneByOne({ bytes, words, one }, jobs, groups)) }
}

/** Pads the first `length` bytes at MESSAGE; returns the number of blocks. */
const pad = (bytes: Buffer, length: number): number => {
  const end = (((length + 8) >>> 6) + 1) * 64
  bytes[MESSAGE + length] = 0x80
  for (let i = length + 1; i < end - 2; i++) bytes[MESSAGE + i] = 0
  bytes[MESSAGE + end - 2] = length >>> 5
  bytes[MESSAGE + end - 1] = length << 3
  return end >>> 6
}

/** `run` without vector instructions. */
const runOneByOne = ({ bytes, words, one }: Omit<Hasher, 'run'>, jobs: number, groups: number): void => {
  for (let group = 0; group < groups; group++) {
    for (let i = 0; i < 4; i++) {
      const job = (jobs + group * (4 * JOB + 4) + i * JOB) >>> 2
      const [d1, d2, length, refs] = bytes.subarray(4 * job + 8, 4 * job + 12) as unknown as [number, number, number, number]
      bytes[MESSAGE] = d1
      bytes[MESSAGE + 1] = d2
      let at = MESSAGE + 2
      at += bytes.copy(bytes, at, words[job + 1]!, words[job + 1]! + length)
      for (let j = 0; j < refs; j++) at += bytes.copy(bytes, at, words[job + 3 + j]! + 32, words[job + 3 + j]! + 34)
      for (let j = 0; j < refs; j++) at += bytes.copy(bytes, at, words[job + 3 + j]!, words[job + 3 + j]! + 32)
      one(pad(bytes, at - MESSAGE))
      bytes.copy(bytes, words[job]!, DIGEST, DIGEST + 32)
    }
  }
}

/** Scratch memory only: nothing in it outlives a call. */
const resident = createHasher(RESIDENT_PAGES)

/** A hasher with room for `size` bytes from HEAP on; valid until the next call unless it is the caller's `own`. */
export const hasherFor = (size: number, own: boolean): Hasher => {
  const pages = Math.ceil((HEAP + size) / PAGE)
  return pages <= RESIDENT_PAGES && !own ? resident : createHasher(pages)
}

/** Buffer for the message of `digest`, up to 310 bytes. */
export const message: Buffer = resident.bytes.subarray(MESSAGE, MESSAGE + 384)

/** SHA-256 of the first `length` bytes of `message`, as a byte string. */
export const digest = (length: number): string => {
  resident.one(pad(resident.bytes, length))
  return resident.bytes.toString('latin1', DIGEST, DIGEST + 32)
}
