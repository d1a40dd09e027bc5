package dev.gatehouse.common.directory;

import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** Holds one {@link LdapDirectory} for each distinct configuration of the realms. */
public final class LdapDirectories implements Directories, AutoCloseable {

  /** Longer than any request that began with the old configuration. */
  private static final Duration GRACE = Duration.ofMinutes(2);

  private final Map<DirectoryConfig, LdapDirectory> directories = new ConcurrentHashMap<>();
  private final DirectoryTimes times = new DirectoryTimes();
  private final Duration grace;
  private volatile Set<DirectoryConfig> wanted = Set.of();

  public LdapDirectories(Realms realms) {
    this(realms, GRACE);
  }

  LdapDirectories(Realms realms, Duration grace) {
    this.grace = grace;
    realms.onChange(this::changed);
  }

  /** Adds the metrics of all directories together. */
  public void publish(MetricFamilies metrics) {
    times.publish(metrics);
    SampleFamily.builder("gatehouse.directory.connections")
        .description("Connections to directories in use, callers that wait for one, and the limit")
        .tag("state")
        .gauge(
            () ->
                Map.of(
                    List.of("used"), sum(Connections::used),
                    List.of("waiting"), sum(Connections::waiting),
                    List.of("limit"), sum(Connections::cap)))
        .register(metrics);
  }

  private double sum(ToIntFunction<Connections> of) {
    return directories.values().stream().flatMap(LdapDirectory::connections).mapToInt(of).sum();
  }

  @Override
  public Directory of(Realm realm) {
    return ldap(realm);
  }

  /** Returns the store of pairs in the realm's directory, in the attribute that its configuration names. */
  public NamePairs namePairs(Realm realm, NamePairs.Kind kind, InstantSource time) {
    return ldap(realm).namePairs(kind, realm.federation().attribute(), time);
  }

  private LdapDirectory ldap(Realm realm) {
    DirectoryConfig config =
        realm.directory().orElseThrow(() -> new IllegalStateException("realm " + realm.name() + " has no directory"));
    return directories.computeIfAbsent(config, created -> new LdapDirectory(created, times));
  }

  /** Opens new directories at once, so that the first login finds connections; closes unused ones later. */
  private void changed(Collection<Realm> realms) {
    wanted = realms.stream().flatMap(realm -> realm.directory().stream()).collect(Collectors.toUnmodifiableSet());
    wanted.forEach(config -> directories.computeIfAbsent(config, created -> new LdapDirectory(created, times)));
    if (!wanted.containsAll(directories.keySet())) {
      Thread.ofVirtual().name("ldap-retire").start(this::retire);
    }
  }

  private void retire() {
    try {
      Thread.sleep(grace);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    directories.forEach(
        (config, directory) -> {
          if (!wanted.contains(config) && directories.remove(config, directory)) {
            directory.close();
          }
        });
  }

  @Override
  public void close() {
    directories.values().forEach(LdapDirectory::close);
    directories.clear();
  }
}
