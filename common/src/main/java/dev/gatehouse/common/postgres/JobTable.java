package dev.gatehouse.common.postgres;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The jobs of administrators at all nodes, in the table {@code administrator_job}. One node does a job and says how far it is; the others
 * read that, and may ask it to stop. A job whose node says no more that it runs is lost.
 */
public final class JobTable {

  /** The number of the advisory lock: any that nothing else in the database uses. */
  private static final long LOCK = 0x67617465_6a6f6273L;

  private static final String IS_GONE =
      " state = 'running' and not exists (select 1 from node where node.instance = administrator_job.instance and seen_at > now()"
          + " - make_interval(secs => " + NodeTable.GONE_SECONDS + "))";

  /**
   * A job.
   *
   * @param content what its node wrote last
   * @param isLost whether its node ended before it did
   */
  public record Job(String content, boolean isLost) {}

  /**
   * A job that begins.
   *
   * @param realm empty if it concerns the node that does it
   */
  public record NewJob(String id, String kind, Optional<String> realm, String content) {}

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final String instance;

  /** @param nodes has this node */
  public JobTable(PostgresDatabase database, NodeTable nodes) {
    this.jdbc = JdbcClient.create(database.dataSource());
    this.transaction = new TransactionTemplate(new JdbcTransactionManager(database.dataSource()));
    this.instance = nodes.instance();
  }

  /** Marks the jobs of the former run of this node, of which none runs any more. */
  public void begin() {
    jdbc.sql("update administrator_job set state = 'lost' where state = 'running' and instance = ?").param(instance).update();
  }

  /** Adds a job of this node, which runs. Returns the id of the one of its kind that runs already, and changes nothing then. */
  public Optional<String> add(NewJob job) {
    String scope = job.realm().map(realm -> "realm " + realm).orElse("node " + instance);
    return Objects.requireNonNull(
        transaction.execute(
            status -> {
              jdbc.sql("select pg_advisory_xact_lock(?)").param(LOCK).query(row -> {});
              jdbc.sql("update administrator_job set state = 'lost' where" + IS_GONE).update();
              Optional<String> other =
                  jdbc.sql("select id from administrator_job where kind = ? and scope = ? and state = 'running' limit 1")
                      .params(job.kind(), scope)
                      .query(String.class)
                      .optional();
              if (other.isEmpty()) {
                jdbc.sql(
                        """
                        insert into administrator_job (id, kind, scope, instance, state, cancelled, content, started_at)
                        values (?, ?, ?, ?, 'running', false, ?, now())
                        """)
                    .params(job.id(), job.kind(), scope, instance, job.content())
                    .update();
              }
              return other;
            }));
  }

  /** Writes how far a job of this node is. Returns false if it is to stop: it was cancelled, or the others took this node for gone. */
  public boolean note(String id, String content) {
    return jdbc.sql("update administrator_job set content = ? where id = ? and state = 'running' returning not cancelled")
        .params(content, id)
        .query(Boolean.class)
        .optional()
        .orElse(false);
  }

  /** Writes the end of a job of this node, and forgets those that ended before the {@code most} newest. */
  public void end(String id, String content, int most) {
    jdbc.sql("update administrator_job set state = 'ended', content = ? where id = ?").params(content, id).update();
    jdbc.sql(
            """
            delete from administrator_job where state <> 'running' and id not in
              (select id from administrator_job where state <> 'running' order by started_at desc limit ?)
            """)
        .param(most)
        .update();
  }

  /** Asks the node that does the job to stop. Returns false if it does not run. */
  public boolean cancel(String id) {
    return jdbc.sql("update administrator_job set cancelled = true where id = ? and state = 'running' and not (" + IS_GONE + ")")
            .param(id)
            .update()
        > 0;
  }

  /** Returns all jobs, the newest first. */
  public List<Job> all() {
    return jdbc.sql("select content, state = 'lost' or (" + IS_GONE + ") as lost from administrator_job order by started_at desc")
        .query((row, index) -> new Job(row.getString("content"), row.getBoolean("lost")))
        .list();
  }
}
