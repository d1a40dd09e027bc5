package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.installation.DataLock;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.Creation;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.node.Node.Listener;
import dev.gatehouse.gateway.cli.NodeApi;
import dev.gatehouse.gateway.federate.PinnedCertificate;
import dev.gatehouse.gateway.node.StoredKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Connects commands to the administration of the node that runs on this machine. */
final class NodeConnection {

  private static final int PROBE_MILLIS = 1000;
  private static final Duration TEMPORARY = Duration.ofDays(1);

  private NodeConnection() {}

  /** Returns whether the node answers. */
  static boolean isServed(Node node) {
    try (Socket socket = new Socket()) {
      socket.connect(reachable(node.listeners().admin().address()), PROBE_MILLIS);
      return true;
    } catch (IOException nobodyListens) {
      return false;
    }
  }

  /** Returns whether a node runs with the data of this configuration; one that stores nothing, whether it answers. */
  static boolean isRunning(Node node) {
    if (node.storage() == Node.Storage.VOLATILE) {
      return isServed(node);
    }
    // The holder has no name where the disk was full.
    return DataLock.holder(node.data()).filter(holder -> holder.isEmpty() || holder.equals(DataLock.NODE)).isPresent();
  }

  /**
   * Connects a command. Without a given key it creates one, which is revoked when the command ends, and ends by itself after a day.
   *
   * @param prefix begins the name of a temporary key
   */
  static NodeApi open(Node node, Optional<String> given, String prefix) {
    Listener admin = node.listeners().admin();
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5));
    admin.tls().ifPresent(tls -> builder.sslContext(PinnedCertificate.trusting(certificate(tls))));
    if (given.isEmpty()) {
      requireNode(node);
    }
    String name = prefix + HexFormat.of().toHexDigits(new SecureRandom().nextInt());
    String key = given.orElseGet(() -> withKeys(node, keys -> created(keys, name)));
    Runnable revoke = given.isPresent() ? () -> {} : () -> withKeys(node, keys -> keys.revoke(name));
    Thread atExit = new Thread(revoke, "revoke-key");
    Runtime.getRuntime().addShutdownHook(atExit);
    HttpClient http = builder.build();
    return new NodeApi(address(admin), http, key, () -> end(http, revoke, atExit));
  }

  /**
   * Connects a command to the node that has the data open, with a temporary key.
   *
   * @param unanswered the sentence that says what was not done if it does not answer
   * @throws StartRefused if it does not answer
   */
  static NodeApi openRunning(Node node, String prefix, String unanswered) {
    if (!isServed(node)) {
      throw new StartRefused(
          "A node has the data in " + node.data() + " open, but nothing answers at " + node.listeners().admin().address()
              + ": wait until it has started or stopped. " + unanswered);
    }
    return open(node, Optional.empty(), prefix);
  }

  private static void end(HttpClient http, Runnable revoke, Thread atExit) {
    http.close();
    revoke.run();
    Runtime.getRuntime().removeShutdownHook(atExit);
  }

  /** While the node is down, another user of this machine may listen at its port: a key that may do everything is for the node alone. */
  private static void requireNode(Node node) {
    if (node.storage() != Node.Storage.VOLATILE && !isRunning(node)) {
      throw new StartRefused(
          "Something answers at " + node.listeners().admin().address() + ", but no node has the data in " + node.data()
              + " open: no key is made for it. Start the node.");
    }
  }

  private static <T> T withKeys(Node node, Function<AdministratorKeys, T> work) {
    try (StoredKeys stored = StoredKeys.open(node)) {
      return work.apply(new AdministratorKeys(stored.place(), InstantSource.system(), new SecureRandom()));
    } catch (PostgresUnusable e) {
      throw new StartRefused(String.valueOf(e.getMessage()));
    }
  }

  private static String created(AdministratorKeys keys, String name) {
    // A command that is killed leaves its key behind: then the key ends by itself.
    Instant end = InstantSource.system().instant().plus(TEMPORARY);
    return switch (keys.create(name, List.of(AdministratorGrant.ALL), Optional.of(end))) {
      case Creation.Created created -> created.secret();
      case Creation.Refused refused -> throw new StartRefused(refused.why());
    };
  }

  private static URI address(Listener admin) {
    InetSocketAddress at = reachable(admin.address());
    String host = at.getAddress().getHostAddress();
    return URI.create(
        (admin.tls().isPresent() ? "https" : "http") + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + at.getPort());
  }

  private static InetSocketAddress reachable(InetSocketAddress address) {
    return address.getAddress().isAnyLocalAddress()
        ? new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort())
        : address;
  }

  private static X509Certificate certificate(Node.Tls tls) {
    try {
      return Pem.certificates(Files.readAllBytes(tls.certificate())).getFirst();
    } catch (IOException | GeneralSecurityException e) {
      throw new StartRefused("The certificate of listeners.admin cannot be read: " + e.getMessage());
    }
  }
}
