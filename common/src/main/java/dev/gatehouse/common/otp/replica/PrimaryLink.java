package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** The way of a replica to the database of the primary. One thread changes it. */
final class PrimaryLink implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PrimaryLink.class);

  private record Link(String server, PostgresDatabase database, Tokens tokens) {}

  private final OtpServerConfig config;
  private final InstallationRecord installation;
  private volatile Optional<Link> link = Optional.empty();

  /** Whether that database says itself that it is the primary's, at the epoch that counts. */
  private volatile boolean trusted;

  PrimaryLink(OtpServerConfig config, InstallationRecord installation) {
    this.config = config;
    this.installation = installation;
  }

  Optional<PostgresConfig> config(String server) {
    return Optional.ofNullable(config.servers().get(server));
  }

  /** Goes to that primary from now on; returns false if its database is not configured. */
  boolean leadTo(PrimaryRecord primary) {
    if (link.filter(now -> now.server().equals(primary.server())).isEmpty()) {
      close();
      link = config(primary.server()).map(server -> linked(primary.server(), server));
    }
    return link.isPresent();
  }

  private Link linked(String server, PostgresConfig database) {
    PostgresDatabase opened = PostgresDatabase.ofOther(database, Optional.of(installation));
    return new Link(server, opened, new JdbcTokens(opened));
  }

  /** Returns the database, whether it answers or not. */
  Optional<PostgresDatabase> database() {
    return link.map(Link::database);
  }

  /** Returns the database if it answers. */
  Optional<PostgresDatabase> answering() {
    return database().filter(one -> one.problem().isEmpty());
  }

  /** Returns the database if it answers, and is the primary's. */
  Optional<PostgresDatabase> trusted() {
    return answering().filter(one -> trusted);
  }

  Optional<Tokens> tokens() {
    return link.filter(one -> trusted && one.database().problem().isEmpty()).map(Link::tokens);
  }

  /** Tells the primary how far this replica is, and finds out whether it is the one that counts. */
  void tell(PrimaryRecord primary, Uses uses, Isolation isolation) {
    Optional<PostgresDatabase> to = answering();
    if (to.isEmpty()) {
      trusted = false;
      return;
    }
    try {
      trusted = new Replication(to.get()).primary().equals(Optional.of(primary));
      if (trusted) {
        new ServerTable(to.get()).tell(config.server(), primary.epoch(), uses.waiting(), isolation.waiting());
      }
    } catch (DataAccessException e) {
      trusted = false;
      LOG.debug("The primary cannot be told how far this server is", e);
    }
  }

  @Override
  public void close() {
    trusted = false;
    link.ifPresent(one -> one.database().close());
    link = Optional.empty();
  }
}
