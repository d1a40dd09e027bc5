package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.configuration.ProblemView;
import dev.gatehouse.gateway.admin.partner.ProviderImportViews.ImportedProvider;
import dev.gatehouse.gateway.admin.partner.ProviderImportViews.ProviderImport;
import dev.gatehouse.gateway.admin.partner.ProviderInspection.Inspected;
import dev.gatehouse.gateway.admin.partner.ProviderInspection.Use;
import dev.gatehouse.gateway.admin.revision.PartnerEntries;
import dev.gatehouse.gateway.admin.revision.PartnerEntries.ImportedEntry;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.BadRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Imports OpenID providers: reads their discovery document and keys, says what was found, and writes the provider's entry. */
final class ProviderImports {

  private static final String LIST = "providers";
  private static final List<String> USUAL_SCOPES = List.of("profile", "email");
  private static final Set<String> IMPORTED = Set.of("issuer", "clientId", "secret", "authentication");

  /**
   * What would be imported.
   *
   * @param view without a plan
   * @param entry empty if there are problems
   */
  record Prepared(ImportedProvider view, Optional<ImportedEntry> entry) {}

  private final ProviderInspection inspection;
  private final Realms realms;
  private final PartnerEntries entries;
  private final ConfigurationControl control;
  private final AdminAudit audit;

  ProviderImports(
      ProviderInspection inspection, Realms realms, PartnerEntries entries, ConfigurationControl control, AdminAudit audit) {
    this.inspection = inspection;
    this.realms = realms;
    this.entries = entries;
    this.control = control;
    this.audit = audit;
  }

  /** Reads the provider's documents, and says what was found; changes nothing. */
  Prepared prepare(String realm, ProviderImport wanted, AdminRights rights) {
    requireIssuer(wanted.issuer());
    Map<String, @Nullable Object> settings = wanted.settings().orElse(Map.of());
    if (settings.keySet().stream().anyMatch(IMPORTED::contains)) {
      throw new BadRequest("`settings` has none of issuer, clientId, secret and authentication, which are members of the import.");
    }
    // Before anything is fetched: a realm that does not exist is 404, and one that must not be changed 403.
    ImportedEntry entry = entry(realm, wanted);
    entries.scope(rights, realm);
    audit.record(realm, rights.administrator(), "provider.fetch", Map.of("issuer", FetchedDocument.shown(wanted.issuer())));
    Use use = use(entry.value());
    Inspected inspected =
        inspection.of(
            wanted.issuer(), use, realms.find(realm).flatMap(Realm::sp).map(sp -> sp.openIdCallback(use.alias())),
            Destinations.of(rights, AdministratorRole.ADMIN, realm, control));
    List<ProblemView> problems = new ArrayList<>(inspected.problems());
    if (wanted.digest().isPresent() && inspected.digest().filter(wanted.digest().get()::equalsIgnoreCase).isEmpty()) {
      String message = "the discovery document is another than that of the preview";
      problems.add(new ProblemView(wanted.issuer(), 0, "digest", message, "look at it again, and use its digest"));
    }
    Optional<ImportedEntry> importable = Optional.of(entry).filter(made -> problems.isEmpty());
    ImportedProvider view =
        new ImportedProvider(
            wanted.issuer(), inspected.digest(), inspected.found(), importable.map(entries::text), List.copyOf(problems), Optional.empty());
    return new Prepared(view, importable);
  }

  /** OpenID Connect Discovery 1.0, section 3: an issuer has neither query nor fragment. The reader of the entry checks the rest. */
  private static void requireIssuer(@Nullable String issuer) {
    boolean isIssuer;
    try {
      URI url = new URI(issuer == null ? "" : issuer);
      isIssuer = url.getHost() != null && url.getRawQuery() == null && url.getRawFragment() == null && url.getRawUserInfo() == null;
    } catch (URISyntaxException e) {
      isIssuer = false;
    }
    if (!isIssuer) {
      throw new BadRequest("`issuer` is a URL without query and fragment, like https://login.example.org.");
    }
  }

  /** The keys in use stay unless the import has them. */
  private ImportedEntry entry(String realm, ProviderImport wanted) {
    Map<String, @Nullable Object> value = new LinkedHashMap<>();
    value.put("issuer", wanted.issuer());
    entries.find(realm, LIST, wanted.issuer()).ifPresent(value::putAll);
    wanted.clientId().ifPresent(id -> value.put("clientId", id));
    wanted.secret().ifPresent(name -> value.put("secret", Map.of("secret", name)));
    wanted.authentication().ifPresent(method -> value.put("authentication", method));
    value.putAll(wanted.settings().orElse(Map.of()));
    return entries.entry(realm, LIST, wanted.issuer(), value, Map.of());
  }

  private static Use use(Map<String, Object> entry) {
    String usual = entry.containsKey("secret") ? Method.SECRET_BASIC.value() : Method.PRIVATE_KEY_JWT.value();
    Optional<String> authentication =
        entry.containsKey("clientId") ? Optional.of(String.valueOf(entry.getOrDefault("authentication", usual))) : Optional.empty();
    List<String> scopes = entry.get("scopes") instanceof List<?> list ? list.stream().map(String::valueOf).toList() : USUAL_SCOPES;
    return new Use(
        authentication, Stream.concat(Stream.of(ProviderConfig.OPENID), scopes.stream()).distinct().toList(),
        Boolean.TRUE.equals(entry.get("userInfo")), Optional.ofNullable(entry.get("alias")).map(String::valueOf));
  }

  /** Returns the view with what the configuration would change. */
  ImportedProvider planned(Prepared prepared, AdminRights rights) {
    return prepared.entry().map(entry -> prepared.view().with(entries.plan(entry, rights))).orElse(prepared.view());
  }
}
