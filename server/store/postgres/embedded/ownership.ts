import { accessSync, constants, lstatSync, statSync } from 'node:fs'
import { chown, lchown, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FILES_OF_ANOTHER } from '../faults.ts'
import type { ServerUser } from './server-user.ts'

/*
 * Checks and sets the owner of a persistent cluster's files. PostgreSQL refuses a cluster of another user, and `cp -r` gives every file to the user who copies.
 * The service writes `path`; PostgreSQL writes the folder `cluster` in it. If root starts the service, PostgreSQL runs as a different user than the service.
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

/** Throws with a readable message if this process cannot use the cluster because of the owner of its files. */
export const checkOwner = (path: string, user: ServerUser | undefined): void => {
  const own = process.getuid?.()
  if (own === undefined) return
  const owner = lstatSync(path).uid
  if (!canWrite(path)) throw refusal(path, owner, own)
  const cluster = join(path, 'cluster')
  const ownerOfCluster = lstatSync(cluster, { throwIfNoEntry: false })?.uid
  if (ownerOfCluster === undefined || ownerOfCluster === (user?.uid ?? own)) return
  // Root changes the owner of files only in its own folder. In a folder of another user, a link could redirect the change to any file.
  if (user === undefined || owner !== own) throw refusal(cluster, ownerOfCluster, own)
}

/**
 * Makes PostgreSQL's user the owner of a cluster in a folder of root. Links are not followed. The cluster's top folder is changed last, so that an interrupted
 * change is repeated at the next start.
 */
export const giveCluster = async (cluster: string, user: ServerUser | undefined): Promise<void> => {
  if (user === undefined || statSync(cluster).uid === user.uid) return
  for (const name of await readdir(cluster, { recursive: true })) await lchown(join(cluster, name), user.uid, user.gid)
  await chown(cluster, user.uid, user.gid)
}
