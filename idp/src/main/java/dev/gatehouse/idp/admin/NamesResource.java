package dev.gatehouse.idp.admin;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.federation.BulkFederation;
import dev.gatehouse.common.federation.PersistentNameId;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.nameid.RequestedNameIdChange;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.idp.saml.nameid.NameIdChanges;
import java.util.List;
import java.util.Optional;

/** The persistent NameIDs that we issued, in the administration API. */
public final class NamesResource implements AdminResource.Federations {

  private static final String KIND = "names";

  private final Realms realms;
  private final Directories directories;
  private final PersistentNameIds nameIds;
  private final NameIdChanges changes;
  private final BulkFederation bulk;

  public NamesResource(
      Realms realms,
      Directories directories,
      PersistentNameIds nameIds,
      NameIdChanges changes,
      BulkFederation bulk) {
    this.realms = realms;
    this.directories = directories;
    this.nameIds = nameIds;
    this.changes = changes;
    this.bulk = bulk;
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public List<FederationView> page(String realm, String partner, String after, int most) {
    return nameIds.page(realm, partner, after, most).stream().map(NamesResource::view).toList();
  }

  @Override
  public List<FederationView> ofPerson(String realm, String person) {
    return realms.find(realm).stream()
        .flatMap(found -> nameIds.ofPerson(realm, directories.meant(found, person)).stream())
        .map(NamesResource::view)
        .toList();
  }

  @Override
  public Optional<FederationView> find(String realm, String partner, String nameId) {
    return nameIds.named(realm, partner, nameId).map(NamesResource::view);
  }

  @Override
  public Optional<PartnerNotification> end(String realm, String partner, String nameId, String administrator) {
    return changed(
        realm,
        partner,
        nameId,
        (context, found, idp, name) ->
            changes.terminate(context, found, idp, name, "administrator", Optional.empty()));
  }

  @Override
  public Optional<PartnerNotification> renew(
      String realm, String partner, String nameId, Optional<String> calledHere, String administrator) {
    return changed(
        realm,
        partner,
        nameId,
        (context, found, idp, name) -> changes.renew(context, found, idp, name, "administrator", Optional.empty()));
  }

  private Optional<PartnerNotification> changed(
      String realm, String partner, String nameId, RequestedNameIdChange<IdpConfig, PersistentNameId> change) {
    return RequestedNameIdChange.make(realms, realm, Realm::idp, () -> nameIds.named(realm, partner, nameId), change);
  }

  @Override
  public List<BulkFederation.Outcome> bulk(String realm, String partner, List<BulkFederation.Line> lines) {
    return bulk.give(realms.find(realm).orElseThrow(), partner, lines);
  }

  private static FederationView view(PersistentNameId name) {
    return new FederationView(
        KIND, name.partner(), name.person().value(), name.value(), name.spProvidedId(), name.since());
  }
}
