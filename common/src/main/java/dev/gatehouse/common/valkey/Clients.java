package dev.gatehouse.common.valkey;

import dev.gatehouse.common.http.OutboundTrust;
import dev.gatehouse.common.node.ValkeyConfig.Place;
import dev.gatehouse.common.node.ValkeyConfig.Security;
import dev.gatehouse.common.node.ValkeyConfig.Server;
import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.store.StoreUnavailable;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.DefaultClientResources;
import io.netty.resolver.DefaultAddressResolverGroup;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Creates Lettuce's client. It does not reconnect by itself: a new connection is checked first. */
final class Clients {

  private static final int THREADS = 2;
  private static final int MAX_REQUESTS = 10_000;

  private Clients() {}

  static RedisClient create(ValkeyConfig config) {
    RedisClient client =
        RedisClient.create(
            DefaultClientResources.builder()
                .ioThreadPoolSize(THREADS)
                .computationThreadPoolSize(THREADS)
                .addressResolverGroup(DefaultAddressResolverGroup.INSTANCE)
                .build(),
            uri(config));
    ClientOptions.Builder options =
        ClientOptions.builder()
            .autoReconnect(false)
            .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
            .requestQueueSize(MAX_REQUESTS)
            .protocolVersion(ProtocolVersion.RESP3)
            .socketOptions(SocketOptions.builder().connectTimeout(config.timeout()).tcpNoDelay(true).keepAlive(true).build());
    if (config.security() instanceof Security.Tls tls) {
      options.sslOptions(SslOptions.builder().jdkSslProvider().trustManager(OutboundTrust.managers(tls.authorities())).build());
    }
    client.setOptions(options.build());
    return client;
  }

  /**
   * Opens connections to the primary, all at once: a Sentinel whose host is silent is waited for once, not for each. They lead to one
   * server, although Sentinels may promote another meanwhile.
   *
   * @param opened gets the connections, also if some fail
   */
  static void connect(RedisClient client, ValkeyConfig config, int count, List<StatefulRedisConnection<byte[], byte[]>> opened) {
    List<CompletableFuture<StatefulRedisConnection<byte[], byte[]>>> begun =
        Stream.generate(() -> client.connectAsync(ByteArrayCodec.INSTANCE, uri(config)).toCompletableFuture()).limit(count).toList();
    List<Throwable> failures = new ArrayList<>();
    for (CompletableFuture<StatefulRedisConnection<byte[], byte[]>> one : begun) {
      try {
        StatefulRedisConnection<byte[], byte[]> connection = one.join();
        connection.setTimeout(config.timeout());
        opened.add(connection);
      } catch (CompletionException | CancellationException e) {
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      throw new StoreUnavailable("Valkey cannot be reached", failures.getFirst());
    }
    if (opened.stream().map(connection -> server(connection.sync().info("server"))).distinct().count() > 1) {
      throw new StoreUnavailable("its connections lead to different servers, while one is promoted");
    }
  }

  /** Returns what identifies the process of a server. */
  private static String server(String info) {
    return info.lines().filter(line -> line.startsWith("run_id:")).findFirst().orElse("");
  }

  private static RedisURI uri(ValkeyConfig config) {
    boolean tls = config.security() instanceof Security.Tls;
    RedisURI.Builder uri =
        switch (config.place()) {
          case Place.Direct direct -> RedisURI.Builder.redis(direct.server().host(), direct.server().port());
          case Place.Sentinels sentinels -> {
            RedisURI.Builder all = RedisURI.builder().withSentinelMasterId(sentinels.primaryName());
            for (Server server : sentinels.servers()) {
              RedisURI.Builder one = protect(RedisURI.Builder.redis(server.host(), server.port()), tls).withTimeout(config.timeout());
              sentinels.password().ifPresent(password -> one.withPassword(password.value().toCharArray()));
              all.withSentinel(one.build());
            }
            yield all;
          }
        };
    protect(uri, tls).withTimeout(config.timeout());
    config
        .account()
        .ifPresent(account -> uri.withAuthentication(account.user(), account.password().value().toCharArray()));
    return uri.build();
  }

  private static RedisURI.Builder protect(RedisURI.Builder uri, boolean tls) {
    return tls ? uri.withSsl(true).withVerifyPeer(SslVerifyMode.FULL) : uri;
  }

  /** Returns why there is no connection, with its address and the innermost cause. */
  static String sentence(ValkeyConfig config, Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    String servers = config.place().servers().stream().map(Server::toString).collect(Collectors.joining(", "));
    return "no connection to " + servers + ": " + Failures.sentence(cause) + remedy(config, cause);
  }

  private static String remedy(ValkeyConfig config, Throwable cause) {
    if (cause instanceof SSLException || cause instanceof GeneralSecurityException) {
      return ": give the server a certificate for its name, and name its authority in valkey.ca";
    }
    if (cause instanceof RedisCommandExecutionException || cause instanceof StoreUnavailable) {
      return "";
    }
    String key = config.place() instanceof Place.Sentinels ? "valkey.sentinels" : "valkey.server";
    return config.security() instanceof Security.Tls
        ? ": start it, or correct " + key + ", which needs the port that speaks TLS"
        : ": start it, or correct " + key + ", or valkey.tls if it expects TLS";
  }
}
