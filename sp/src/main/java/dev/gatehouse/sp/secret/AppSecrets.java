package dev.gatehouse.sp.secret;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.PersonSecrets;
import dev.gatehouse.common.db.PersonSecrets.SealedSecret;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values that people have stored for apps. Each is sealed for its realm, person, app and name, so that a value
 * moved to another row cannot be opened. Blocks: call it on virtual threads only.
 */
public final class AppSecrets {

  /** The greatest length of a value, in characters. */
  public static final int LONGEST = 1024;

  /** A stored value. */
  public record Stored(Secret value, Instant changedAt) {}

  /** The existence of a stored value, without the value. */
  public record Named(String app, String name, Instant changedAt) {}

  private final PersonSecrets store;
  private final SealingKey sealing;
  private final AuditLog audit;
  private final InstantSource time;

  public AppSecrets(PersonSecrets store, SealingKey sealing, AuditLog audit, InstantSource time) {
    this.store = store;
    this.sealing = sealing;
    this.audit = audit;
    this.time = time;
  }

  /** The values that the person stored for the app, by name. */
  public Map<String, Stored> of(String realm, PersonId person, String app) {
    Map<String, Stored> values = new LinkedHashMap<>();
    for (SealedSecret sealed : store.ofPerson(realm, person)) {
      if (sealed.app().equals(app)) {
        byte[] plain = sealing.open(sealed.sealedValue(), context(realm, person, app, sealed.name()));
        Secret value = new Secret(new String(plain, StandardCharsets.UTF_8));
        values.put(sealed.name(), new Stored(value, sealed.changedAt()));
      }
    }
    return values;
  }

  /** The stored entries of the person, by app and name. */
  public List<Named> named(String realm, PersonId person) {
    return store.ofPerson(realm, person).stream()
        .map(sealed -> new Named(sealed.app(), sealed.name(), sealed.changedAt()))
        .toList();
  }

  /** Stores these values, in place of earlier ones with the same names. */
  public void put(AuditEvent.Context context, PersonId person, String app, Map<String, String> values) {
    String realm = context.realm();
    audit.record(new AuditEvent.AppSecretsChanged(context, person.value(), app, "stored", "person"));
    values.forEach(
        (name, value) -> {
          byte[] sealed =
              sealing.seal(value.getBytes(StandardCharsets.UTF_8), context(realm, person, app, name));
          store.put(realm, person, new SealedSecret(app, name, sealed, time.instant()));
        });
  }

  /**
   * Removes all values for the app. Returns false if there were none.
   *
   * @param by {@code person} or an administrator
   */
  public boolean remove(AuditEvent.Context context, PersonId person, String app, String by) {
    if (named(context.realm(), person).stream().noneMatch(named -> named.app().equals(app))) {
      return false;
    }
    audit.record(new AuditEvent.AppSecretsChanged(context, person.value(), app, "removed", by));
    return store.remove(context.realm(), person, app);
  }

  private static String[] context(String realm, PersonId person, String app, String name) {
    return new String[] {"app secret", realm, person.value(), app, name};
  }
}
