package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.RequestedAttribute;
import dev.gatehouse.idp.consent.PendingRelease.Item;
import dev.gatehouse.idp.saml.nameid.NameIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The personal data in a Response, as the consent page lists them: the attributes, and a NameID that is a mail address.
 * Other NameIDs reveal only that the same person returns.
 */
final class ReleasedItems {

  private ReleasedItems() {}

  static List<Item> of(NameIdFormat format, List<SamlAttribute> released, List<String> mail) {
    List<Item> items = new ArrayList<>();
    if (format == NameIdFormat.EMAIL) {
      items.add(new Item(NameIdFormat.EMAIL.uri(), NameIds.MAIL, mail.stream().limit(1).toList()));
    }
    released.forEach(a -> items.add(new Item(a.name(), a.friendlyName().orElse(a.name()), a.values())));
    return items;
  }

  /** Like {@link #of}, with names only. */
  static Set<String> names(NameIdFormat format, List<SamlAttribute> released) {
    Set<String> names = new TreeSet<>();
    of(format, released, List.of()).forEach(item -> names.add(item.name()));
    return names;
  }

  /** The name for people of a requested attribute. */
  static String label(RequestedAttribute request) {
    return request.friendlyName().or(() -> AttributeName.friendly(request.name())).orElse(request.name());
  }
}
