import { accessSync, constants, lstatSync, statSync } from 'node:fs'
import { chown, lchown, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FILES_OF_ANOTHER } from '../faults.ts'
import type { ServerUser } from './server-user.ts'

/*
 * The owner of the files of a persistent cluster. PostgreSQL refuses a cluster of another user than its own, and `cp -r` gives every file to whoever copies.
 * Folders: `path`, which the service writes, has `cluster`, which PostgreSQL writes. Started by root, PostgreSQL runs as another user than the service.
 */

const refusal = (path: string, owner: number, own: number): Error =>
  Object.assign(
    new Error(
      `${path} belongs to user ${owner}, and this process is user ${own}: give it the data directory (chown -R ${own}), or start it as user ${owner}; a copy made by cp -a keeps its owners`,
    ),
    { code: FILES_OF_ANOTHER },
  )

const canWrite = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Throws a readable text if this process cannot use a cluster because of its owner. */
export const checkOwner = (path: string, user: ServerUser | undefined): void => {
  const own = process.getuid?.()
  if (own === undefined) return
  const owner = lstatSync(path).uid
  if (!canWrite(path)) throw refusal(path, owner, own)
  const cluster = join(path, 'cluster')
  const ownerOfCluster = lstatSync(cluster, { throwIfNoEntry: false })?.uid
  if (ownerOfCluster === undefined || ownerOfCluster === (user?.uid ?? own)) return
  // Root gives away what is in its own folder. In a folder of another user a link could lead it anywhere.
  if (user === undefined || owner !== own) throw refusal(cluster, ownerOfCluster, own)
}

/**
 * Gives a cluster in a folder of root to the user that PostgreSQL runs as. Links are not followed. The cluster itself is last, so that an interrupted change
 * begins again.
 */
export const giveCluster = async (cluster: string, user: ServerUser | undefined): Promise<void> => {
  if (user === undefined || statSync(cluster).uid === user.uid) return
  for (const name of await readdir(cluster, { recursive: true })) await lchown(join(cluster, name), user.uid, user.gid)
  await chown(cluster, user.uid, user.gid)
}
