package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.otp.replica.ServerTable.Told;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** The way of a replica to the database of the primary. One thread changes it. */
final class PrimaryLink implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PrimaryLink.class);

  private record Link(PrimaryRecord primary, PostgresDatabase database, Tokens tokens) {}

  private final OtpServerConfig config;
  private final InstallationRecord installation;
  private volatile Optional<Link> link = Optional.empty();

  /** The link whose database says itself that it is the primary's, at the epoch that counts. */
  private volatile Optional<Link> trusted = Optional.empty();

  PrimaryLink(OtpServerConfig config, InstallationRecord installation) {
    this.config = config;
    this.installation = installation;
  }

  /** Goes to that primary from now on; returns false if its database is not configured. */
  boolean leadTo(PrimaryRecord primary) {
    if (link.filter(now -> now.primary().equals(primary)).isEmpty()) {
      close();
      link = Optional.ofNullable(config.servers().get(primary.server())).map(server -> linked(primary, server));
    }
    return link.isPresent();
  }

  /** Each session says which primary it means: the database of a former one refuses its changes. */
  private Link linked(PrimaryRecord primary, PostgresConfig database) {
    String meant = (primary.epoch() + " " + primary.server()).replace("'", "''");
    PostgresDatabase opened =
        PostgresDatabase.ofOther(
            database, Optional.of(installation), Optional.of("select set_config('gatehouse.otp_primary', '" + meant + "', false)"));
    return new Link(primary, opened, new JdbcTokens(opened));
  }

  /** Returns how the database of a primary to which this one leads is reached. */
  PostgresConfig config(PrimaryRecord primary) {
    return Objects.requireNonNull(config.servers().get(primary.server()));
  }

  /** Returns the database, whether it answers or not. */
  Optional<PostgresDatabase> database() {
    return link.map(Link::database);
  }

  private Optional<Link> trustedLink() {
    Optional<Link> now = link;
    return now.filter(one -> trusted.equals(now) && one.database().problem().isEmpty());
  }

  /** Returns the database if it answers, and is the primary's. */
  Optional<PostgresDatabase> trusted() {
    return trustedLink().map(Link::database);
  }

  Optional<Tokens> tokens() {
    return trustedLink().map(Link::tokens);
  }

  /**
   * Tells the primary how far this replica is, and finds out whether it is the one that counts.
   *
   * @return when that primary was heard last, by its own clock; empty if it does not answer
   */
  Optional<Instant> tell(ServerState state, Uses uses, Isolation isolation) {
    Optional<Link> to = link.filter(one -> one.database().problem().isEmpty());
    boolean isTrusted = false;
    Optional<Instant> heard = Optional.empty();
    try {
      if (to.isPresent()) {
        PostgresDatabase database = to.get().database();
        PrimaryRecord primary = to.get().primary();
        isTrusted = new Replication(database).primary().equals(Optional.of(primary));
        if (isTrusted) {
          new ServerTable(database)
              .tell(
                  config.server(),
                  new Told(Instant.EPOCH, primary.epoch(), state.name(), isolation.since(), uses.waiting(), isolation.waiting()));
          heard = new Heartbeat(database).last();
        }
      }
    } catch (DataAccessException e) {
      isTrusted = false;
      heard = Optional.empty();
      LOG.debug("The primary cannot be told how far this server is", e);
    }
    trusted = isTrusted ? to : Optional.empty();
    return heard;
  }

  @Override
  public void close() {
    trusted = Optional.empty();
    link.ifPresent(one -> one.database().close());
    link = Optional.empty();
  }
}
