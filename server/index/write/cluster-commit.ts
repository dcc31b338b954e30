import type { Connection } from '../../store/postgres/connection.ts'

/*
 * A Citus cluster commits in two phases: its nodes prepare the transaction, the coordinator commits, and then each node commits. A node that fails in
 * between has the rows, but hides them until the coordinator repeats the commit. So an acknowledged commit may not be visible on all nodes.
 */

/** Milliseconds between two checks, and milliseconds after which no further check begins. */
const PAUSE_MS = 20
const PATIENCE_MS = 1_000

/** Finds transactions that are committed at the coordinator but only prepared on a node, and nodes that do not respond. */
const UNFINISHED = `select from run_command_on_workers(
    'select coalesce(string_agg(gid, '',''), '''') from pg_prepared_xacts where database = current_database()') as node
  where not success or exists (select from pg_dist_transaction where gid = any(string_to_array(result, ',')))`

/**
 * SQL that ends when all nodes of a Citus cluster show everything that was committed before, by any session. It makes the nodes commit what they have
 * prepared, and fails if a node has not committed after a second. If a node accepts the connection but never responds, the check takes as long as Citus
 * waits for a connection. Without the right to call `recover_prepared_transactions`, the SQL fails until Citus itself calls that function, once a minute.
 * On other databases it does nothing. Run it after the commit, and before the statement that makes the rows visible to readers.
 */
export const FINISHED = `do $$ declare may boolean; until timestamptz := clock_timestamp() + interval '${PATIENCE_MS} ms'; begin
  if to_regproc('recover_prepared_transactions') is null then return; end if;
  may := has_function_privilege('recover_prepared_transactions()', 'execute');
  loop
    if may then
      perform recover_prepared_transactions();
      if not exists (select from pg_dist_transaction t join pg_dist_node n on n.groupid = t.groupid and n.isactive and n.noderole = 'primary') then
        return;
      end if;
    elsif not exists (${UNFINISHED}) then return;
    end if;
    exit when clock_timestamp() > until;
    perform pg_sleep(${PAUSE_MS / 1000});
  end loop;
  raise exception 'a commit is not finished on a remote node' using errcode = '08006';
end $$;`

/** Returns whether the database is a Citus cluster, where a commit can be unfinished on a node. */
export const isCluster = async ({ query }: Pick<Connection, 'query'>): Promise<boolean> => {
  const [row] = await query<{ is: boolean }>(`select to_regproc('recover_prepared_transactions') is not null as is`)
  return row?.is === true
}
