package dev.gatehouse.sp.secret;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.PersonRecords;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.sp.session.AppSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The values that a person has stored for apps; the values themselves are not exported. */
public final class AppSecretsData implements AdminResource.PersonData {

  private static final String KIND = "appSecrets";

  private final AppSecrets secrets;
  private final Realms realms;

  public AppSecretsData(AppSecrets secrets, Realms realms) {
    this.secrets = secrets;
    this.realms = realms;
  }

  @Override
  public Map<String, List<Map<String, Object>>> ofPerson(String realm, AdminResource.PersonReference person) {
    List<Map<String, Object>> entries = new ArrayList<>();
    for (PersonId id : ids(realm, person)) {
      secrets
          .named(realm, id)
          .forEach(named -> entries.add(Map.of("app", named.app(), "name", named.name(), "changedAt", named.changedAt())));
    }
    return Map.of(KIND, entries);
  }

  @Override
  public Map<String, Integer> erase(String realm, AdminResource.PersonReference person, String by) {
    AuditEvent.Context context = new AuditEvent.Context(realm, "-", Optional.empty());
    int removed = 0;
    for (PersonId id : ids(realm, person)) {
      List<AppSecrets.Named> stored = secrets.named(realm, id);
      removed += stored.size();
      stored.stream().map(AppSecrets.Named::app).distinct().forEach(app -> secrets.remove(context, id, app, by));
    }
    return Map.of(KIND, removed);
  }

  /** The ids by which sessions at the gateway know the person. */
  private List<PersonId> ids(String realm, AdminResource.PersonReference person) {
    Stream<PersonId> asserted =
        realms.find(realm).filter(found -> found.sp().isPresent()).stream()
            .flatMap(found -> PersonRecords.providers(found).stream())
            .map(provider -> AppSession.personId(provider, person.name()));
    return Stream.concat(Stream.of(new PersonId(person.id())), asserted).distinct().toList();
  }
}
