package dev.gatehouse.sp.login;

import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import dev.gatehouse.common.saml.metadata.UiInfo;
import dev.gatehouse.common.saml.metadata.UiInfo.Logo;
import dev.gatehouse.sp.edge.SpRealm;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The realm's identity providers, in the form in which people choose among them (Login and Discovery User Interface
 * 2.1).
 */
public final class IdentityProviderList {

  /** The most entries on a page; a person who needs more of the list searches it. */
  private static final int MAX = 50;

  private static final Pattern ACCENTS = Pattern.compile("\\p{M}");

  /**
   * One identity provider of the list.
   *
   * @param logo a {@code data:} URL: pages load nothing from elsewhere
   * @param isAvailable whether a login at this identity provider can begin now
   */
  record Choice(String entityId, String name, String description, Optional<String> logo, boolean isAvailable) {}

  /** @param plainName made once for each, and not for each comparison: a federation has thousands */
  private record Named(String plainName, Choice choice) {}

  /** @param more the number of other matches that were left out */
  record Found(List<Choice> recent, List<Choice> others, int more) {}

  private final PartnerRegistry partners;
  private final IdentityProviderChoice choice;

  public IdentityProviderList(PartnerRegistry partners, IdentityProviderChoice choice) {
    this.partners = partners;
    this.choice = choice;
  }

  /**
   * Returns the identity providers that contain every word of the search in a name, a description or the entity ID,
   * regardless of case and accents. The recent ones come first, then the others by name.
   */
  Found find(SpRealm realm, String language, String search, List<String> recent) {
    List<String> words = Stream.of(plain(search).split("\\s+")).filter(word -> !word.isEmpty()).toList();
    List<Choice> before = new ArrayList<>();
    List<Named> others = new ArrayList<>();
    for (String entityId : recent) {
      view(realm, language, entityId, words).ifPresent(before::add);
    }
    for (String entityId : realm.identityProviders()) {
      if (!recent.contains(entityId)) {
        view(realm, language, entityId, words).ifPresent(found -> others.add(new Named(plain(found.name()), found)));
      }
    }
    others.sort(Comparator.comparing(Named::plainName));
    List<Choice> shown = others.stream().limit(MAX).map(Named::choice).toList();
    return new Found(List.copyOf(before), shown, others.size() - shown.size());
  }

  /** The display name of the identity provider. */
  public String name(SpRealm realm, String language, String entityId) {
    return realm
        .openIdProvider(entityId)
        .map(ProviderConfig::name)
        .or(() -> partners.find(realm.name(), entityId).map(partner -> name(partner, language)))
        .orElse(entityId);
  }

  private Optional<Choice> view(SpRealm realm, String language, String entityId, List<String> words) {
    Optional<Partner> partner = partners.find(realm.name(), entityId);
    UiInfo ui = partner.flatMap(IdentityProviderList::ui).orElse(UiInfo.none());
    String name = name(realm, language, entityId);
    String text =
        plain(
            String.join(
                " ",
                Stream.of(Stream.of(name, entityId), ui.names().values().stream(), ui.descriptions().values().stream())
                    .flatMap(texts -> texts)
                    .toList()));
    if (!words.stream().allMatch(text::contains)) {
      return Optional.empty();
    }
    return Optional.of(
        new Choice(
            entityId,
            name,
            UiInfo.in(language, ui.descriptions()).orElse(""),
            logo(ui, language),
            choice.isUsable(realm, entityId)));
  }

  private static String name(Partner partner, String language) {
    return partner
        .config()
        .displayName()
        .or(() -> ui(partner).flatMap(ui -> UiInfo.in(language, ui.names())))
        .orElseGet(partner::displayName);
  }

  private static Optional<UiInfo> ui(Partner partner) {
    return partner.metadata() instanceof MetadataState.Usable(var metadata, var at, var problem)
        ? metadata.idp().map(IdpRole::ui)
        : Optional.empty();
  }

  private static Optional<String> logo(UiInfo ui, String language) {
    List<Logo> logos = ui.logos().stream().filter(logo -> logo.url().startsWith("data:")).toList();
    return logos.stream()
        .filter(logo -> logo.language().filter(language::equals).isPresent())
        .findFirst()
        .or(() -> logos.stream().filter(logo -> logo.language().isEmpty()).findFirst())
        .or(() -> logos.stream().findFirst())
        .map(Logo::url);
  }

  /** The text in lower case, without accents. */
  private static String plain(String text) {
    if (text.chars().allMatch(character -> character < 0x80)) {
      return text.toLowerCase(Locale.ROOT);
    }
    return ACCENTS.matcher(Normalizer.normalize(text, Normalizer.Form.NFD)).replaceAll("").toLowerCase(Locale.ROOT);
  }
}
