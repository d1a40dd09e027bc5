package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.node.SharedConfig;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.otp.WaitingUses;
import dev.gatehouse.common.otp.replica.OtpForget;
import dev.gatehouse.common.otp.replica.OtpMetrics;
import dev.gatehouse.common.otp.replica.OtpNomination;
import dev.gatehouse.common.otp.replica.OtpOverview;
import dev.gatehouse.common.otp.replica.OtpPush;
import dev.gatehouse.common.otp.replica.OtpServer;
import dev.gatehouse.common.otp.replica.OtpStatus;
import dev.gatehouse.common.otp.replica.ReplicationRefused;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.Turns;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** This node as one of several servers of one-time passwords; alone, unless the configuration names others. */
public final class OtpNode implements OtpOverview.Source, AutoCloseable {

  private final Optional<OtpServer> server;

  private OtpNode(Optional<OtpServer> server) {
    this.server = server;
  }

  /** Returns a node that is alone. */
  static OtpNode alone() {
    return new OtpNode(Optional.empty());
  }

  static OtpNode of(OtpServerConfig config, SharedState state, Stores stores, AuditLog audit, InstantSource time, MetricFamilies metrics) {
    try {
      OtpServer server = new OtpServer(config, state.database(), state.record().finished(), stores, audit, time);
      OtpMetrics.publish(server, metrics);
      return new OtpNode(Optional.of(server));
    } catch (ReplicationRefused e) {
      throw new SharedUnusable(String.valueOf(e.getMessage()));
    }
  }

  Tokens tokens(Database database, WaitingUses waiting) {
    return server.map(OtpServer::tokens).orElseGet(() -> waiting.tokens(new JdbcTokens(database)));
  }

  /** Returns the turns of scheduled work; a replica has none. */
  Turns turns(Turns usual) {
    return server.isEmpty() ? usual : work -> server.get().isPrimary() ? usual.take(work) : Optional.empty();
  }

  /** Returns the database that has the audit events of all servers. */
  PostgresDatabase auditDatabase(PostgresDatabase own) {
    return server.flatMap(OtpServer::primaryDatabase).orElse(own);
  }

  /** Returns whether this is a replica now. */
  boolean isReplica() {
    return server.filter(one -> !one.isPrimary()).isPresent();
  }

  /** Returns why passcodes are not checked here; empty if they are. */
  Optional<String> problem() {
    return server.flatMap(OtpServer::problem);
  }

  /** Returns the state of all servers, as this one sees it. */
  public static List<String> status(Node node) throws PostgresUnusable {
    OtpServerConfig config = required(node);
    try (PostgresDatabase own = PostgresDatabase.open(node.state().requireShared().postgres())) {
      return OtpStatus.lines(config, own);
    }
  }

  /** Brings this replica up; see {@link OtpPush}. */
  public static void push(Node node, boolean replaces, Consumer<String> progress) throws PostgresUnusable, InterruptedException {
    OtpServerConfig config = required(node);
    try (PostgresDatabase own = PostgresDatabase.open(node.state().requireShared().postgres())) {
      new OtpPush(config, own).run(replaces, progress);
    } catch (ReplicationRefused e) {
      throw new SharedUnusable(String.valueOf(e.getMessage()));
    }
  }

  /** Forgets a replica that is gone, at the primary; see {@link OtpForget}. */
  public static boolean forget(Node node, String server, boolean confirmed, Consumer<String> progress) throws PostgresUnusable {
    OtpServerConfig config = required(node);
    try (PostgresDatabase own = PostgresDatabase.open(node.state().requireShared().postgres())) {
      return new OtpForget(config, own, InstantSource.system()).run(server, confirmed, progress);
    } catch (ReplicationRefused e) {
      throw new SharedUnusable(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Optional<OtpOverview> overview() {
    return server.map(OtpServer::overview);
  }

  /** Makes this replica the primary; see {@link OtpNomination}. */
  public static boolean nominate(Node node, boolean confirmed, boolean comparesByTime, Consumer<String> progress) throws PostgresUnusable {
    OtpServerConfig config = required(node);
    SharedConfig shared = node.state().requireShared();
    InstantSource time = InstantSource.system();
    SecureRandom random = new SecureRandom();
    try (PostgresDatabase own = PostgresDatabase.open(shared.postgres())) {
      SealingKey sealing = new SealingKey(SharedState.keys(node, own, time, random), random);
      ValkeyStores.Node parts = new ValkeyStores.Node(sealing, time, random, MetricFamilies.unpublished());
      try (ValkeyStores stores = new ValkeyStores(shared.valkey(), parts, SharedStores.admission(shared.valkey(), own))) {
        SharedStores.await(stores);
        return new OtpNomination(config, own, stores, time).run(confirmed, comparesByTime, progress);
      }
    } catch (ReplicationRefused e) {
      throw new SharedUnusable(String.valueOf(e.getMessage()));
    }
  }

  private static OtpServerConfig required(Node node) {
    return node.state()
        .shared()
        .flatMap(SharedConfig::otp)
        .orElseThrow(() -> new SharedUnusable("This node checks one-time passwords alone: its gatehouse.yaml has no otp."));
  }

  @Override
  public void close() {
    server.ifPresent(OtpServer::close);
  }
}
