package dev.gatehouse.common.valkey;

import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a server really guarantees.
 *
 * @param refusals sentences about what must be changed before anything is stored there
 * @param notes sentences that administrators should know
 */
public record ValkeyReport(List<String> refusals, List<String> notes) {

  private static final int LEAST_VERSION = 8;

  public ValkeyReport {
    refusals = List.copyOf(refusals);
    notes = List.copyOf(notes);
  }

  /** Returns the first refusal. */
  public Optional<String> refusal() {
    return refusals.stream().findFirst();
  }

  /** Asks the server. */
  static ValkeyReport of(RedisCommands<byte[], byte[]> server, Acknowledge acknowledge) {
    Map<String, String> info = lines(server.info());
    List<String> refusals = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    ofVersion(info)
        .ifPresentOrElse(
            refusals::add,
            () ->
                notes.add(
                    "Valkey " + version(info).orElse("") + ", " + info.getOrDefault("connected_slaves", "0") + " replicas connected."));
    if (!info.getOrDefault("role", "").equals("master")) {
      refusals.add("The server is a replica: name the primary, or the Sentinels that know it.");
    }
    if (!info.getOrDefault("cluster_enabled", "0").equals("0")) {
      refusals.add("The server is part of a cluster: one primary with replicas is needed, because a script changes several keys.");
    }
    if (!info.getOrDefault("aof_enabled", "0").equals("1")) {
      refusals.add("The server keeps nothing on disk: set appendonly yes.");
    }
    settings(server, acknowledge, refusals, notes);
    if (acknowledge == Acknowledge.REPLICA && info.getOrDefault("connected_slaves", "0").equals("0")) {
      notes.add("No replica is connected: every write fails until one is, because acknowledge is replica.");
    }
    if (acknowledge == Acknowledge.LOCAL) {
      notes.add("acknowledge: local: a promotion, or the loss of this server's disk, may lose acknowledged sessions, logouts and marks.");
    }
    return new ValkeyReport(refusals, notes);
  }

  /** Returns why a server that tells this about itself is not used; empty if its version suits. */
  static Optional<String> ofVersion(Map<String, String> info) {
    return version(info)
        .map(
            version ->
                major(version) < LEAST_VERSION
                    ? Optional.of("The server is Valkey " + version + ": install version " + LEAST_VERSION + " or later.")
                    : Optional.<String>empty())
        .orElseGet(
            () ->
                Optional.of(
                    "The server is no Valkey (it reports " + info.getOrDefault("redis_version", "no version") + "): install Valkey "
                        + LEAST_VERSION + " or later."));
  }

  private static void settings(
      RedisCommands<byte[], byte[]> server, Acknowledge acknowledge, List<String> refusals, List<String> notes) {
    Map<String, String> settings;
    try {
      settings = server.configGet("maxmemory-policy", "appendfsync", "min-replicas-to-write");
    } catch (RedisException e) {
      refusals.add("The account may not read the server's settings: allow it CONFIG GET (+config|get), so that they can be checked.");
      return;
    }
    String policy = settings.getOrDefault("maxmemory-policy", "");
    if (!policy.equals("noeviction")) {
      refusals.add("maxmemory-policy is " + policy + ", which forgets sessions and logouts when memory is full: set noeviction.");
    }
    String sync = settings.getOrDefault("appendfsync", "");
    if (!sync.equals("always")) {
      refusals.add("appendfsync is " + sync + ", so that writes are acknowledged before they are on disk: set always.");
    }
    if (acknowledge == Acknowledge.REPLICA && settings.getOrDefault("min-replicas-to-write", "0").equals("0")) {
      notes.add(
          "min-replicas-to-write is 0: set 1, so that a primary without replicas refuses writes at once instead of after the timeout.");
    }
  }

  /** Servers from version 9 on may leave out the name; Redis has no such line. */
  private static Optional<String> version(Map<String, String> info) {
    return Optional.ofNullable(info.get("valkey_version"));
  }

  private static int major(String version) {
    try {
      return Integer.parseInt(version.split("\\.", 2)[0]);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static Map<String, String> lines(String info) {
    Map<String, String> lines = new HashMap<>();
    info.lines()
        .forEach(
            line -> {
              int colon = line.indexOf(':');
              if (colon > 0) {
                lines.put(line.substring(0, colon), line.substring(colon + 1).strip());
              }
            });
    return lines;
  }
}
