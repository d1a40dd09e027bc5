package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.admin.ReleaseView.Withheld;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.Release;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AttributeConsumingService;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.RequestedAttribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The attributes that are released to a partner: only those that its configuration lists. A request with an
 * AttributeConsumingServiceIndex (SAML Core 3.4.1) can reduce this set and never extend it.
 *
 * <p>Without an index the request asks for nothing in particular, and all configured attributes are released. The rules
 * are sorted once per partner.
 */
final class AttributeRelease {

  /** One configured attribute; {@code header} has no values. */
  private record Rule(SamlAttribute header, Release release) {}

  private final List<Rule> rules;

  private AttributeRelease(List<Rule> rules) {
    this.rules = rules;
  }

  /** Creates the rules, in the order of their SAML names. */
  static AttributeRelease of(PartnerConfig partner) {
    return new AttributeRelease(
        new TreeMap<>(partner.release())
            .entrySet().stream().map(entry -> rule(entry.getKey(), entry.getValue())).toList());
  }

  /** Returns the attributes to release; attributes without a value are left out. */
  List<SamlAttribute> of(Person person, Optional<AttributeConsumingService> asked) {
    List<SamlAttribute> released = new ArrayList<>(rules.size());
    for (AttributeVerdict verdict : decide(person, asked)) {
      if (!verdict.released().values().isEmpty()) {
        released.add(verdict.released());
      }
    }
    return released;
  }

  /** Returns the verdict of each rule, with values that are withheld. */
  List<AttributeVerdict> decide(Person person, Optional<AttributeConsumingService> asked) {
    List<AttributeVerdict> verdicts = new ArrayList<>(rules.size());
    for (Rule rule : rules) {
      verdicts.add(decide(rule, plain(person, rule.release().source()), asked));
    }
    return verdicts;
  }

  private static AttributeVerdict decide(Rule rule, List<String> values, Optional<AttributeConsumingService> asked) {
    Optional<RequestedAttribute> request = asked.flatMap(service -> request(service, rule.header()));
    boolean isRequested = asked.isEmpty() || request.isPresent();
    List<String> wanted = request.map(RequestedAttribute::values).orElse(List.of());
    List<String> released = new ArrayList<>(values.size());
    List<AttributeVerdict.WithheldValue> withheld = new ArrayList<>(0);
    for (String value : values) {
      Optional<String> sent = scoped(value, rule.release());
      if (!isRequested) {
        withheld.add(new AttributeVerdict.WithheldValue(value, Withheld.NOT_REQUESTED));
      } else if (sent.isEmpty()) {
        withheld.add(new AttributeVerdict.WithheldValue(value, Withheld.HAS_SCOPE));
      } else if (!wanted.isEmpty() && !wanted.contains(sent.get())) {
        // SAML Metadata 2.4.4.2.
        withheld.add(new AttributeVerdict.WithheldValue(sent.get(), Withheld.VALUE_NOT_REQUESTED));
      } else {
        released.add(sent.get());
      }
    }
    return new AttributeVerdict(rule.release(), isRequested, rule.header().withValues(released), withheld);
  }

  /**
   * The attributes that the service marks as required and will not get. The person should know this; the other
   * attributes are released nevertheless.
   */
  static List<RequestedAttribute> missing(List<SamlAttribute> released, Optional<AttributeConsumingService> asked) {
    return asked.stream()
        .flatMap(service -> service.requested().stream())
        .filter(request -> request.required() && released.stream().noneMatch(attribute -> means(request, attribute)))
        .toList();
  }

  private static Optional<RequestedAttribute> request(AttributeConsumingService service, SamlAttribute header) {
    return service.requested().stream().filter(request -> means(request, header)).findFirst();
  }

  /** Compares names only: products use different NameFormats, and no name is configured twice. */
  private static boolean means(RequestedAttribute request, SamlAttribute attribute) {
    return request.name().equals(attribute.name());
  }

  /**
   * Names that are URIs are sent in the URI format, with a friendly name (SAML Profiles 8.2.2); others in the basic
   * format.
   */
  private static Rule rule(String name, Release release) {
    if (!name.startsWith("urn:") && !name.startsWith("http://") && !name.startsWith("https://")) {
      return new Rule(SamlAttribute.basic(name, List.of()), release);
    }
    String friendly = AttributeName.friendly(name).orElse(release.source());
    return new Rule(new SamlAttribute(name, SamlAttribute.URI, Optional.of(friendly), List.of()), release);
  }

  /** A value that already contains an {@code @} could make a careless recipient read a wrong scope: it is left out. */
  private static Optional<String> scoped(String value, Release release) {
    if (release.scope().isEmpty()) {
      return Optional.of(value);
    }
    return value.indexOf('@') < 0 ? Optional.of(value + "@" + release.scope().get()) : Optional.empty();
  }

  private static List<String> plain(Person person, String source) {
    return switch (source) {
      case "roles" -> person.roles().stream().sorted().toList();
      case "groups" -> person.groups();
      default -> person.attributes().getOrDefault(source, List.of());
    };
  }
}
