package dev.gatehouse.sp.secret;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.PersonId;
import java.util.List;
import java.util.Optional;

/**
 * Lets administrators list and delete the values that people have stored for apps. The values themselves cannot be
 * read.
 */
public final class AppSecretsResource implements AdminResource.StoredSecrets {

  private final AppSecrets secrets;

  public AppSecretsResource(AppSecrets secrets) {
    this.secrets = secrets;
  }

  @Override
  public List<AppSecretView> ofPerson(String realm, String person) {
    return secrets.named(realm, new PersonId(person)).stream()
        .map(named -> new AppSecretView(named.app(), named.name(), named.changedAt()))
        .toList();
  }

  @Override
  public boolean remove(String realm, String person, String app, String administrator) {
    AuditEvent.Context context = new AuditEvent.Context(realm, "-", Optional.empty());
    return secrets.remove(context, new PersonId(person), app, administrator);
  }
}
