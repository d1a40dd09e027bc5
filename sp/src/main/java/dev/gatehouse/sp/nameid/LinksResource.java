package dev.gatehouse.sp.nameid;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.federation.AccountLink;
import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.federation.BulkFederation;
import dev.gatehouse.common.nameid.ManageNameIdSender.Sending;
import dev.gatehouse.common.nameid.RequestedNameIdChange;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.SpConfig;
import java.util.List;
import java.util.Optional;

/** Administration of the links from identity providers' names to local accounts. */
public final class LinksResource implements AdminResource.Federations {

  private static final String KIND = "links";

  private final Realms realms;
  private final Directories directories;
  private final AccountLinks links;
  private final LinkChanges changes;
  private final BulkFederation bulk;

  public LinksResource(
      Realms realms, Directories directories, AccountLinks links, LinkChanges changes, BulkFederation bulk) {
    this.realms = realms;
    this.directories = directories;
    this.links = links;
    this.changes = changes;
    this.bulk = bulk;
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public List<FederationView> page(String realm, String partner, String after, int most) {
    return links.page(realm, partner, after, most).stream().map(LinksResource::view).toList();
  }

  @Override
  public List<FederationView> ofPerson(String realm, String person) {
    return realms.find(realm).stream()
        .flatMap(found -> links.ofAccount(realm, directories.meant(found, person)).stream())
        .map(LinksResource::view)
        .toList();
  }

  @Override
  public Optional<FederationView> find(String realm, String partner, String nameId) {
    return links.find(realm, partner, nameId).map(LinksResource::view);
  }

  @Override
  public Optional<PartnerNotification> end(String realm, String partner, String nameId, String administrator) {
    return changed(
        realm,
        partner,
        nameId,
        (context, found, sp, link) ->
            changes.disconnect(context, found, sp, link, "administrator", Optional.empty()));
  }

  @Override
  public Optional<PartnerNotification> renew(
      String realm, String partner, String nameId, Optional<String> calledHere, String administrator) {
    return changed(
        realm,
        partner,
        nameId,
        (context, found, sp, link) ->
            calledHere
                .map(id -> changes.provide(context, found, sp, link, id, "administrator", Optional.empty()))
                .orElseGet(() -> new Sending.NotDelivered("it was not said what the person is called here")));
  }

  private Optional<PartnerNotification> changed(
      String realm, String partner, String nameId, RequestedNameIdChange<SpConfig, AccountLink> change) {
    return RequestedNameIdChange.make(realms, realm, Realm::sp, () -> links.find(realm, partner, nameId), change);
  }

  @Override
  public List<BulkFederation.Outcome> bulk(String realm, String partner, List<BulkFederation.Line> lines) {
    return bulk.link(realms.find(realm).orElseThrow(), partner, lines);
  }

  private static FederationView view(AccountLink link) {
    return new FederationView(
        KIND, link.identityProvider(), link.account().value(), link.nameId(), link.spProvidedId(), link.since());
  }
}
