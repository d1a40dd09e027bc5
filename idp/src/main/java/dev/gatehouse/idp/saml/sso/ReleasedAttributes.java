package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.Release;
import dev.gatehouse.common.saml.SamlAttribute;
import java.util.List;
import java.util.TreeMap;

/** What a partner is told of a person: the attributes that its configuration lists, and nothing else. */
final class ReleasedAttributes {

  private ReleasedAttributes() {}

  /** In the order of their SAML names; attributes without a value are left out. */
  static List<SamlAttribute> of(Person person, PartnerConfig partner) {
    return new TreeMap<>(partner.release())
        .entrySet().stream()
            .map(entry -> SamlAttribute.basic(entry.getKey(), values(person, entry.getValue())))
            .filter(attribute -> !attribute.values().isEmpty())
            .toList();
  }

  private static List<String> values(Person person, Release release) {
    List<String> plain = plain(person, release.source());
    return release.scope().map(scope -> plain.stream().map(value -> value + "@" + scope).toList()).orElse(plain);
  }

  private static List<String> plain(Person person, String source) {
    return switch (source) {
      case "roles" -> person.roles().stream().sorted().toList();
      case "groups" -> person.groups();
      default -> person.attributes().getOrDefault(source, List.of());
    };
  }
}
