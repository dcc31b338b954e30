import * as z from 'zod'

/* What single values look like in answers (v2.md 0.1). Checked in tests only. */

/** int64 and larger: decimal text. */
export const decimal = () => z.string().regex(/^-?\d+$/)
/** 32 bytes, standard padded base64. */
export const hash44 = () => z.string().regex(/^[A-Za-z0-9+/]{43}=$/)
/** Any bytes, standard padded base64; the empty text is none. */
export const base64 = () => z.string().regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)
/** Friendly url-safe address; the empty text where there is none. */
export const friendly = () => z.string().regex(/^[A-Za-z0-9_-]{48}$/)
export const friendlyOrNone = () => z.string().regex(/^(?:[A-Za-z0-9_-]{48})?$/)
/** 32 bytes as lower-case hex. */
export const hex64 = () => z.string().regex(/^[0-9a-f]{64}$/)
/** Raw address with an upper-case or lower-case account id (v2.md 9.8). */
export const rawUpper = () => z.string().regex(/^-?\d+:[0-9A-F]{64}$/)
export const rawLower = () => z.string().regex(/^-?\d+:[0-9a-f]{64}$/)
