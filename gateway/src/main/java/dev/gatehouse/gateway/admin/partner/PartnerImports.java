package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.yaml.NamedFiles;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.common.saml.metadata.MetadataOutline;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.configuration.ProblemView;
import dev.gatehouse.gateway.admin.partner.FetchedDocument.Wanted;
import dev.gatehouse.gateway.admin.partner.MetadataInspection.Inspected;
import dev.gatehouse.gateway.admin.partner.PartnerImportViews.EntityView;
import dev.gatehouse.gateway.admin.partner.PartnerImportViews.ImportedPartner;
import dev.gatehouse.gateway.admin.partner.PartnerImportViews.PartnerImport;
import dev.gatehouse.gateway.admin.revision.PartnerEntries;
import dev.gatehouse.gateway.admin.revision.PartnerEntries.ImportedEntry;
import dev.gatehouse.gateway.admin.revision.RevisionViews.FieldView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Conflict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Imports SAML partners: reads their metadata, says what was found, and writes the partner's entry as a new revision. */
final class PartnerImports {

  private static final String ACCEPT = "application/samlmetadata+xml, application/xml;q=0.9, */*;q=0.1";
  private static final String LIST = "partners";
  private static final String DOCUMENT = "document";
  private static final int MOST_SHOWN = 100;

  /** Large documents are parsed into some hundred megabytes. */
  private static final int AT_ONCE = 4;

  /**
   * What would be imported.
   *
   * @param view without a plan
   * @param entry empty if there are problems
   */
  record Prepared(ImportedPartner view, Optional<ImportedEntry> entry) {}

  private final MetadataInspection inspection;
  private final PartnerRegistry partners;
  private final PartnerEntries entries;
  private final PublicHttp http;
  private final ConfigurationControl control;
  private final AdminAudit audit;
  private final Semaphore running = new Semaphore(AT_ONCE);

  PartnerImports(
      MetadataInspection inspection, PartnerRegistry partners, PartnerEntries entries, PublicHttp http, ConfigurationControl control,
      AdminAudit audit) {
    this.inspection = inspection;
    this.partners = partners;
    this.entries = entries;
    this.http = http;
    this.control = control;
    this.audit = audit;
  }

  /** Reads the metadata, and says what was found; changes nothing. */
  Prepared prepare(String realm, PartnerImport wanted, AdminRights rights) {
    if (wanted.url().isPresent() == wanted.xml().isPresent()) {
      throw new BadRequest("Write either `url` or `xml`.");
    }
    Map<String, @Nullable Object> settings = wanted.settings().orElse(Map.of());
    if (settings.containsKey("entityId") || settings.containsKey("metadata")) {
      throw new BadRequest("`settings` has neither entityId nor metadata, which are imported.");
    }
    // Before anything is fetched: a realm that does not exist is 404, and one that must not be changed 403.
    entries.find(realm, LIST, "");
    ChangeScope scope = entries.scope(rights, realm);
    return bounded(() -> prepareNow(realm, wanted, rights, scope));
  }

  private <T> T bounded(Supplier<T> work) {
    if (!running.tryAcquire()) {
      throw new Conflict(AT_ONCE + " imports are being read at this moment. Try again when they have ended.");
    }
    try {
      return work.get();
    } finally {
      running.release();
    }
  }

  private Prepared prepareNow(String realm, PartnerImport wanted, AdminRights rights, ChangeScope scope) {
    String source = wanted.url().map(FetchedDocument::shown).orElse(DOCUMENT);
    Result<byte[], ProblemView> document =
        wanted.url().isPresent() ? fetched(realm, wanted.url().get(), rights) : pasted(wanted.xml().orElseThrow());
    return switch (document) {
      case Result.Refused<byte[], ProblemView>(ProblemView problem) ->
          new Prepared(view(source, Optional.empty(), Optional.empty(), List.of(problem), List.of(), Optional.empty()), Optional.empty());
      case Result.Accepted<byte[], ProblemView>(byte[] content) -> {
        String digest = Sha256.hex(content);
        Inspected inspected = inspection.of(realm, scope, content, source, wanted.entityId(), wanted.verifyWith());
        List<ProblemView> problems = new ArrayList<>(inspected.problems());
        if (wanted.digest().filter(seen -> !seen.equalsIgnoreCase(digest)).isPresent()) {
          String message = "the metadata are others than those of the preview";
          problems.add(new ProblemView(source, 0, "digest", message, "look at them again, and use their digest"));
        }
        Optional<ImportedEntry> entry =
            inspected.entityId().filter(id -> problems.isEmpty()).map(id -> entry(realm, id, wanted, content));
        yield new Prepared(
            view(source, Optional.of(digest), Optional.of(inspected), List.copyOf(problems), differences(realm, inspected), entry), entry);
      }
    };
  }

  private Result<byte[], ProblemView> fetched(String realm, String url, AdminRights rights) {
    audit.record(realm, rights.administrator(), "partner.fetch", Map.of("url", FetchedDocument.shown(url)));
    Destinations permitted = Destinations.of(rights, AdministratorRole.ADMIN, realm, control);
    return FetchedDocument.of(http, new Wanted("url", url, ACCEPT, permitted));
  }

  private static Result<byte[], ProblemView> pasted(String xml) {
    byte[] content = xml.getBytes(StandardCharsets.UTF_8);
    if (content.length > NamedFiles.LARGEST) {
      String message = "has " + content.length + " bytes, and a file of a revision at most 1 MB";
      String remedy = "import it by its URL, or use the EntityDescriptor of this partner alone";
      return Result.refused(new ProblemView(DOCUMENT, 0, "xml", message, remedy));
    }
    return Result.accepted(content);
  }

  private List<FieldView> differences(String realm, Inspected inspected) {
    Optional<MetadataState> state = inspected.entityId().flatMap(id -> partners.find(realm, id)).map(Partner::metadata);
    return state.isPresent() && state.get() instanceof MetadataState.Usable usable && inspected.metadata().isPresent()
        ? MetadataDifferences.of(usable.metadata(), inspected.metadata().get())
        : List.of();
  }

  private ImportedPartner view(
      String source, Optional<String> digest, Optional<Inspected> inspected, List<ProblemView> problems, List<FieldView> differences,
      Optional<ImportedEntry> entry) {
    List<MetadataOutline.Entity> all = inspected.flatMap(Inspected::outline).map(MetadataOutline::entities).orElse(List.of());
    return new ImportedPartner(
        source,
        digest,
        all.stream().limit(MOST_SHOWN).map(EntityView::of).toList(),
        all.size(),
        inspected.flatMap(Inspected::found),
        differences,
        entry.map(entries::text),
        problems,
        Optional.empty());
  }

  /** The keys in use stay, but for where the metadata are. Files stand in the realm's folder, which its administrators may change. */
  private ImportedEntry entry(String realm, String entityId, PartnerImport wanted, byte[] content) {
    Map<String, @Nullable Object> value = new LinkedHashMap<>();
    value.put("entityId", entityId);
    entries.find(realm, LIST, entityId).ifPresent(value::putAll);
    Map<String, byte[]> files = new HashMap<>();
    String name = realm + "/metadata/" + Sha256.hex(entityId).substring(0, 16);
    Map<String, Object> metadata = new LinkedHashMap<>();
    if (wanted.url().isPresent()) {
      metadata.put("url", wanted.url().get());
    } else {
      files.put("realms/" + name + ".xml", content);
      metadata.put("file", name + ".xml");
    }
    wanted
        .verifyWith()
        .ifPresent(
            pem -> {
              files.put("realms/" + name + ".pem", pem.getBytes(StandardCharsets.UTF_8));
              metadata.put("verifyWith", name + ".pem");
            });
    value.put("metadata", metadata.size() == 1 ? metadata.values().iterator().next() : metadata);
    value.putAll(wanted.settings().orElse(Map.of()));
    return entries.entry(realm, LIST, entityId, value, files);
  }

  /** Returns the view with what the configuration would change. */
  ImportedPartner planned(Prepared prepared, AdminRights rights) {
    return prepared.entry().map(entry -> with(prepared.view(), entries.plan(entry, rights))).orElse(prepared.view());
  }

  /** Returns the view with a plan, whose problems are among the others. */
  static ImportedPartner with(ImportedPartner view, PlanView plan) {
    return new ImportedPartner(
        view.source(), view.digest(), view.entities(), view.entityCount(), view.found(), view.differences(), view.entry(),
        both(view.problems(), plan.problems()), Optional.of(plan));
  }

  static List<ProblemView> both(List<ProblemView> found, List<ProblemView> planned) {
    return Stream.concat(found.stream(), planned.stream()).toList();
  }
}
