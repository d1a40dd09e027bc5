package dev.gatehouse.sp.acs;

import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.Assertion.AuthnStatement;
import dev.gatehouse.common.stringprep.StringPreparation;
import dev.gatehouse.sp.acs.AttributeVerdict.DropReason;
import dev.gatehouse.sp.edge.ProviderTrust;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Selects the attributes of an identity provider that count. Attributes get their plain names ({@link AttributeName});
 * attributes of the same name are joined. A value of a scoped attribute counts only if the provider owns its scope
 * ({@code IdentityProviders.scopes}). If configuration lists the values of an attribute,
 * only these count. Attributes that give rights (roles, groups) and the AuthnContextClassRef count from the realm's own
 * provider; from another provider only configured values count.
 *
 * <p>An attribute that loses all its values remains, without values: this differs from an attribute that was never
 * sent.
 */
final class AcceptedAttributes {

  private final String issuer;
  private final ProviderTrust trust;
  private final Set<String> rights;
  private final Set<String> scopes;
  private final DroppedValues dropped;

  /**
   * @param rights plain names of the attributes that give rights
   * @param scopes scopes that the provider owns, in the form of {@link StringPreparation#compared}
   */
  AcceptedAttributes(
      String issuer, ProviderTrust trust, Set<String> rights, Set<String> scopes, DroppedValues dropped) {
    this.issuer = issuer;
    this.trust = trust;
    this.rights = rights;
    this.scopes = scopes;
    this.dropped = dropped;
  }

  /** Returns the assertion with only the attributes and values that count. */
  Assertion in(Assertion assertion) {
    Map<String, List<String>> sent = new LinkedHashMap<>();
    for (SamlAttribute attribute : assertion.attributes()) {
      sent.computeIfAbsent(AttributeName.plain(attribute.name()), name -> new ArrayList<>()).addAll(attribute.values());
    }
    List<SamlAttribute> accepted = new ArrayList<>();
    sent.forEach((name, values) -> accepted.add(SamlAttribute.basic(name, accepted(name, values))));
    return new Assertion(
        assertion.id(),
        assertion.issueInstant(),
        assertion.issuer(),
        assertion.subject(),
        assertion.confirmations(),
        assertion.notBefore(),
        assertion.notOnOrAfter(),
        assertion.audienceRestrictions(),
        assertion.authnStatement().map(this::accepted),
        List.copyOf(accepted));
  }

  private AuthnStatement accepted(AuthnStatement statement) {
    Optional<String> counting = trust.authnContext(statement.authnContextClassRef());
    if (counting.equals(statement.authnContextClassRef())) {
      return statement;
    }
    dropped.count(issuer, ProviderTrust.AUTHN_CONTEXT, 1);
    return new AuthnStatement(
        statement.authnInstant(), statement.sessionIndex(), statement.sessionNotOnOrAfter(), counting);
  }

  /** Returns each value that the assertion states, and whether it counts. */
  List<AttributeVerdict> verdicts(Assertion assertion) {
    return assertion.attributes().stream()
        .flatMap(
            attribute -> {
              String name = AttributeName.plain(attribute.name());
              return attribute.values().stream().distinct().map(value -> new AttributeVerdict(name, value, dropped(name, value)));
            })
        .toList();
  }

  private List<String> accepted(String name, List<String> values) {
    List<String> counting = values.stream().distinct().filter(value -> dropped(name, value).isEmpty()).toList();
    long lost = values.stream().distinct().count() - counting.size();
    if (lost > 0) {
      dropped.count(issuer, name, lost);
    }
    return counting;
  }

  private Optional<DropReason> dropped(String name, String value) {
    if (!ownsScope(name, value)) {
      return Optional.of(DropReason.FOREIGN_SCOPE);
    }
    if (rights.contains(name)) {
      return trust.grants(name, value) ? Optional.empty() : Optional.of(DropReason.GIVES_RIGHTS);
    }
    return trust.takes(name, value) ? Optional.empty() : Optional.of(DropReason.NOT_ACCEPTED);
  }

  private boolean ownsScope(String name, String value) {
    if (name.equals(AttributeName.TARGETED_ID)) {
      return value.startsWith(issuer + "!");
    }
    if (!AttributeName.isScoped(name)) {
      return true;
    }
    int at = value.indexOf('@');
    return at > 0
        && at == value.lastIndexOf('@')
        && StringPreparation.keeps(value)
        && scopes.contains(StringPreparation.compared(value.substring(at + 1)));
  }
}
