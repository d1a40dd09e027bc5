package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.admin.ReleaseView;
import dev.gatehouse.common.admin.ReleaseView.ReleasedValue;
import dev.gatehouse.common.admin.ReleaseView.Withheld;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.PartnerConfig.Release;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.encryption.Encryption;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AttributeConsumingService;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.RequestedAttribute;
import dev.gatehouse.idp.consent.ConsentCheck;
import dev.gatehouse.idp.consent.ConsentDecision;
import dev.gatehouse.idp.saml.nameid.NameIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Explains what an assertion to a service provider would contain, by the rules of a sign-on, and changes nothing. */
public final class AttributeReleasePreview {

  private static final List<String> ASSERTION = List.of("assertion");

  private final SsoPartners partners;
  private final NameIds nameIds;
  private final ConsentCheck consents;

  AttributeReleasePreview(SsoPartners partners, NameIds nameIds, ConsentCheck consents) {
    this.partners = partners;
    this.nameIds = nameIds;
    this.consents = consents;
  }

  /**
   * Returns what the service provider would get; empty if the realm has none of that entity ID whose metadata can be used.
   *
   * @param attributeService AttributeConsumingServiceIndex (SAML Core 3.4.1)
   * @throws IllegalArgumentException if the metadata have no such service
   */
  public Optional<ReleaseView> of(String realm, Person person, String entityId, Optional<Integer> attributeService) {
    return partners.find(realm, entityId) instanceof Result.Accepted<SsoPartner, SamlRefusal>(SsoPartner partner)
        ? Optional.of(view(realm, person, partner, attributeService))
        : Optional.empty();
  }

  private ReleaseView view(String realm, Person person, SsoPartner partner, Optional<Integer> attributeService) {
    Optional<AttributeConsumingService> asked = partner.asked(attributeService);
    if (attributeService.isPresent() && asked.isEmpty()) {
      throw new IllegalArgumentException(
          "The metadata of the service provider have no AttributeConsumingService of the index " + attributeService.get() + ".");
    }
    NameIdFormat format = partner.sp().config().nameId();
    Optional<String> nameId = nameIds.existing(realm, person, partner.entityId(), format);
    List<SamlAttribute> released = partner.release().of(person, asked);
    return new ReleaseView(
        partner.entityId(),
        person.id().value(),
        person.name(),
        new ReleaseView.ReleaseSubject(format.uri(), nameId),
        consent(realm, person, partner, ReleasedItems.names(format, released)),
        values(person, partner, attributeService, asked),
        AttributeRelease.missing(released, asked).stream().map(ReleasedItems::label).toList(),
        problems(partner, format, nameId));
  }

  private ReleaseView.ReleaseConsent consent(String realm, Person person, SsoPartner partner, Set<String> names) {
    ConsentDecision decision = consents.decide(realm, partner.sp().config(), person.id(), () -> names);
    return decision.view(names);
  }

  private static List<String> problems(SsoPartner partner, NameIdFormat format, Optional<String> nameId) {
    List<String> problems = new ArrayList<>();
    if (partner.encryption(RequestedNameId.of(format)) instanceof Encryption.Choice.NoKey) {
      problems.add("The metadata list no key that we can encrypt to.");
    }
    if (format == NameIdFormat.EMAIL && nameId.isEmpty()) {
      problems.add("The person has no mail address for the NameID.");
    }
    return problems;
  }

  private static List<ReleasedValue> values(
      Person person, SsoPartner partner, Optional<Integer> attributeService, Optional<AttributeConsumingService> asked) {
    List<AttributeVerdict> verdicts = partner.release().decide(person, asked);
    List<ReleasedValue> values = new ArrayList<>();
    verdicts.forEach(verdict -> values.addAll(values(verdict, grounds(verdict, attributeService))));
    if (partner.sp().config().asServiceProvider().credentialRelease()) {
      values.add(withheld(AttributeName.LOGIN_PASSWORD, Optional.of("password"), List.of("release"), Withheld.LOGIN_ONLY));
    }
    Set<String> named = verdicts.stream().map(verdict -> verdict.released().name()).collect(Collectors.toSet());
    asked.stream()
        .flatMap(service -> service.requested().stream())
        .map(RequestedAttribute::name)
        .filter(name -> !named.contains(name))
        .map(name -> withheld(name, Optional.empty(), List.of(ground(attributeService)), Withheld.NOT_CONFIGURED))
        .forEach(values::add);
    Set<String> used = verdicts.stream().map(AttributeVerdict::rule).map(Release::source).collect(Collectors.toSet());
    Stream.concat(person.attributes().keySet().stream(), Stream.of("groups", "roles"))
        .filter(source -> !used.contains(source))
        .collect(Collectors.toCollection(TreeSet::new))
        .forEach(source -> values.add(withheld(source, Optional.of(source), List.of(), Withheld.NOT_CONFIGURED)));
    return values;
  }

  private static List<ReleasedValue> values(AttributeVerdict verdict, List<String> grounds) {
    String name = verdict.released().name();
    Optional<String> source = Optional.of(verdict.rule().source());
    List<ReleasedValue> values = new ArrayList<>();
    verdict.released().values()
        .forEach(value -> values.add(ReleasedValue.released(name, value, source, grounds, ASSERTION)));
    verdict.withheld()
        .forEach(
            value ->
                values.add(ReleasedValue.withheld(name, Optional.of(value.value()), source, grounds, value.reason())));
    if (values.isEmpty()) {
      values.add(withheld(name, source, grounds, verdict.isRequested() ? Withheld.NO_VALUE : Withheld.NOT_REQUESTED));
    }
    return values;
  }

  private static List<String> grounds(AttributeVerdict verdict, Optional<Integer> attributeService) {
    return attributeService.isPresent() && verdict.isRequested() ? List.of("release", ground(attributeService)) : List.of("release");
  }

  private static String ground(Optional<Integer> attributeService) {
    return "attributes " + attributeService.map(String::valueOf).orElse("");
  }

  private static ReleasedValue withheld(String name, Optional<String> source, List<String> grounds, Withheld reason) {
    return ReleasedValue.withheld(name, Optional.empty(), source, grounds, reason);
  }
}
