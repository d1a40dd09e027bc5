package dev.gatehouse.common.revision;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.revision.StoredRealms.ProposedChange;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * The program that {@link RevisionKillTest} kills: changes one installation for each place, and stops each change at its place for good.
 * One process has them all because a process of its own for each takes seconds to start.
 */
final class ChangingProcess {

  /** What it prints at a place, before the name. */
  static final String STOPPED = "stopped at ";

  private static final ScopedValue<KillPlace> STOPS_AT = ScopedValue.newInstance();

  private ChangingProcess() {}

  public static void main(String[] args) {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> {
          failure.printStackTrace();
          Runtime.getRuntime().halt(1);
        });
    Path homes = Path.of(args[0]);
    for (KillPlace place : KillPlace.values()) {
      Thread.ofPlatform().name(place.name()).start(() -> change(homes.resolve(place.name()), place));
    }
  }

  private static void change(Path home, KillPlace place) {
    Database database = Database.embedded(home.resolve("data"));
    place.prepare(database);
    AuditLog audit =
        event -> {
          if (event instanceof AuditEvent.ConfigurationChanged) {
            reached(KillPlace.AUDITED);
          }
        };
    InstantSource time =
        () -> {
          reached(KillPlace.SEALED);
          return InstantSource.system().instant();
        };
    RevisionStore store = new RevisionStore(database, new SealingKey(home.resolve("data"), new SecureRandom()), time);
    StoredRealms realms = open(home, store, audit);
    realms.inUse().onChange(all -> reached(KillPlace.COMMITTED));
    realms.inUse().onFiles(tree -> reached(KillPlace.TAKEN_OVER));
    ScopedValue.where(STOPS_AT, place).run(() -> realms.apply(change(realms.number(), "second")));
    throw new AssertionError(place + " was not reached");
  }

  static StoredRealms open(Path home, RevisionStore store, AuditLog audit) {
    ConfigurationFiles files = new ConfigurationFiles(home.resolve("config"), Map.of());
    try {
      return StoredRealms.open(files, files.loadNode().node(), store, audit, InstantSource.system());
    } catch (ConfigurationInvalid e) {
      throw new AssertionError(e);
    }
  }

  /** A change of a realm, of a file that it names and of a secret that it names. */
  static ProposedChange change(long expected, String word) {
    Map<String, byte[]> files = Map.of("realms/demo.yaml", utf8(realm(word)), "pages/missing.html", utf8(page(word)));
    return new ProposedChange(expected, files, false, Map.of("LDAP_PASSWORD", utf8(word)), "ann", word, ChangeScope.all());
  }

  static String page(String word) {
    return "<!DOCTYPE html><title>Missing</title><p>The " + word + " page.</p>";
  }

  static String realm(String word) {
    return """
        brand: {displayName: The %s realm}
        idp:
          publicUrl: http://idp.localhost:8080
        sp:
          publicUrl: http://app.localhost:8000
        directory:
          urls: ["ldap://127.0.0.1:10389"]
          base: dc=example,dc=org
          bindDn: cn=gatehouse,dc=example,dc=org
          bindPassword: {secret: LDAP_PASSWORD}
        partners:
          - entityId: http://idp.localhost:8080/realms/demo
        routes:
          - path: /
            upstream: http://127.0.0.1:9000
            errorPages: {404: ../pages/missing.html}
        """.formatted(word);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Stops at the place where the change of this thread shall stop, if it is one of this process. */
  static void reachedByDatabase() {
    if (STOPS_AT.isBound()) {
      reached(STOPS_AT.get());
    }
  }

  private static void reached(KillPlace place) {
    if (!STOPS_AT.isBound() || STOPS_AT.get() != place) {
      return;
    }
    System.out.println(STOPPED + place);
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
