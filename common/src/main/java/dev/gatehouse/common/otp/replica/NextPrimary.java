package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * The way of a replica from a former primary to the nominated one with the copy that it has. It is open to a replica that has exactly what
 * the nominated server had, and which that server knows so; one that has more or less keeps its copy and serves nothing.
 */
final class NextPrimary {

  private static final Logger LOG = LoggerFactory.getLogger(NextPrimary.class);

  private final String server;
  private final Replication replication;
  private final Subscription subscription;
  private Optional<PrimaryRecord> failed = Optional.empty();

  NextPrimary(String server, PostgresDatabase own) {
    this.server = server;
    this.replication = new Replication(own);
    this.subscription = new Subscription(own, server);
  }

  /**
   * Follows, if it may. The subscription to the former primary has been disabled. The change is one transaction of this database: whatever
   * ends it midway leaves a copy of the former primary, whose way is still open.
   */
  boolean follow(PrimaryRecord next, PostgresConfig config, PostgresDatabase there) {
    Optional<PrimaryRecord> followed = replication.followed();
    boolean isNext = followed.filter(former -> former.epoch() + 1 == next.epoch()).isPresent();
    if (!isNext || !replication.isComplete() || subscription.isRunning() || there.problem().isPresent()) {
      return false;
    }
    try {
      Optional<Long> own = subscription.position().or(replication::position);
      Followers followers = new Followers(there);
      if (own.isEmpty()
          || !new Replication(there).primary().equals(Optional.of(next))
          || !followers.mayFollow(server, next.epoch(), own.get())) {
        return false;
      }
      replication.position(own.get());
      subscription.follow(config, next);
      followers.forget(server);
      LOG.info("This server had what {} had, and follows it from now on", next.server());
      return true;
    } catch (DataAccessException | ReplicationRefused e) {
      // It is tried again and again.
      if (!failed.equals(Optional.of(next))) {
        LOG.error("This server cannot follow {} with the copy that it has", next.server(), e);
      }
      failed = Optional.of(next);
      return false;
    }
  }
}
