package dev.gatehouse.gateway.admin.theme;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.page.Contrast;
import dev.gatehouse.common.page.ThemePages;
import dev.gatehouse.common.page.ThemeTexts;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.configuration.ProblemView;
import dev.gatehouse.gateway.admin.revision.RealmFiles;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/theme}: logo, colours, texts and templates of a realm's pages. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/theme", produces = "application/json")
@Tag(name = "themes", description = "Logo, colours, texts and templates of a realm's pages, tried out before they are used")
public final class ThemeEndpoint {

  /** A page whose template a realm may replace. */
  @Schema(name = "ThemePage")
  public record PageView(
      @Schema(example = "login") String name,
      @Schema(description = "Our template, to begin with") String template,
      @Schema(description = "Names of what it can be shown with") Set<String> samples) {}

  /** All pages of that kind. */
  @Schema(name = "ThemePages")
  public record PagesView(List<PageView> pages) {}

  /** Our texts. */
  @Schema(name = "ThemeTexts")
  public record TextsView(@Schema(description = "By their keys") Map<String, String> texts) {}

  /** A contrast of two colours. */
  @Schema(name = "ThemeContrast")
  public record ContrastView(
      @Schema(allowableValues = {"light", "dark"}) String scheme,
      @Schema(description = "What text stands on", allowableValues = {"card", "background"}) String ground,
      @Schema(description = "1 to 21; at least 4.5 is asked for (WCAG 2.2, 1.4.3)") double ratio) {}

  /** A page with sample values. */
  @Schema(name = "ThemePreview")
  public record PreviewView(
      @Schema(description = "Why the theme could not be used") List<ProblemView> problems,
      @Schema(description = "How well text can be read") List<ContrastView> contrasts,
      @Schema(description = "The page; absent if there are problems") Optional<String> html) {}

  /**
   * What a preview shows.
   *
   * @param problems why the theme could not be used; then there is no page
   * @param contrasts of its colours
   */
  public record Preview(List<ProblemView> problems, List<Contrast> contrasts, Optional<EdgeReply> page) {}

  private final RealmFiles files;
  private final ThemeFiles themes;
  private final ThemePreview preview;
  private final AdminAudit audit;

  ThemeEndpoint(RealmFiles files, ThemePreview preview, AdminAudit audit) {
    this.files = files;
    this.themes = new ThemeFiles(files);
    this.preview = preview;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "getTheme", summary = "The appearance of a realm's pages, as the configuration in use has it")
  @ApiResponse(responseCode = "200", description = "The theme; the entity tag is the revision in use")
  @ApiResponse(responseCode = "404", description = "There is no such realm")
  public ResponseEntity<ThemeView> one(@Parameter(description = "The realm") @PathVariable("realm") String realm) {
    String tag = files.tag();
    return ResponseEntity.ok().eTag(tag).body(themes.read(realm));
  }

  @GetMapping("/pages")
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "listThemePages", summary = "The pages whose templates a realm may replace, with our templates")
  PagesView pages(@Parameter(description = "The realm") @PathVariable("realm") String realm) {
    files.text(realm);
    return new PagesView(
        ThemePages.names().stream().map(page -> new PageView(page, ThemePages.source(page), ThemePages.samples(page).keySet())).toList());
  }

  @GetMapping("/texts")
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "listThemeTexts", summary = "Our texts of pages, which a realm may replace")
  TextsView texts(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = "en or de") @RequestParam(name = "language", defaultValue = "en") String language) {
    files.text(realm);
    if (!ThemeTexts.languages().contains(language)) {
      throw new BadRequest("`language` is one of " + String.join(", ", ThemeTexts.languages()) + ".");
    }
    return new TextsView(ThemeTexts.ours(language));
  }

  @PostMapping("/preview")
  @RequiresRole(AdministratorRole.ADMIN)
  @Operation(
      operationId = "previewTheme",
      summary = "Show a page with a proposed theme and sample values; nothing is changed",
      description = "The page is made by the engine of the real ones, from what `putTheme` would store.")
  @ApiResponse(responseCode = "200", description = "The page, or the problems of the theme")
  @ApiResponse(responseCode = "404", description = "There is no such realm")
  @ApiResponse(responseCode = "409", description = "The realm's file cannot be changed in part, or only administrators of all realms try out changes of files")
  PreviewView preview(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = "As in `listThemePages`") @RequestParam(name = "page", defaultValue = "login") String page,
      @Parameter(description = "As in `listThemePages`; default: the first") @RequestParam(name = "sample", defaultValue = "") String sample,
      @Parameter(description = "en or de") @RequestParam(name = "language", defaultValue = "en") String language,
      @RequestBody ThemeView theme,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    Preview shown = preview(realm, theme, new ThemePreview.Shown(page, sample, language), rights);
    return new PreviewView(
        shown.problems(),
        shown.contrasts().stream().map(contrast -> new ContrastView(contrast.scheme(), contrast.ground(), contrast.ratio())).toList(),
        shown.page().map(EdgeReply::text));
  }

  /** Returns a page with a proposed theme, or the theme's problems. */
  public Preview preview(String realm, ThemeView theme, ThemePreview.Shown shown, AdminRights rights) {
    ConfigurationControl.Plan plan = files.plan(realm, themes.write(realm, theme), rights);
    audit.record(realm, rights.administrator(), "theme.preview", Map.of("page", shown.page()));
    Optional<Realm> proposed = plan.realms().stream().filter(found -> found.name().equals(realm)).findFirst();
    return new Preview(
        plan.problems().stream().map(ProblemView::of).toList(),
        proposed.map(found -> Contrast.of(found.brand().theme())).orElse(List.of()),
        proposed.map(found -> preview.show(found, shown)));
  }

  @PutMapping
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "putTheme",
      summary = "Use a theme, as a new revision",
      description =
          "What is absent becomes as ours. The rest of the realm's file stays as it is, with its comments; images and templates are stored in"
              + " realms/NAME/theme/.")
  @ApiResponse(responseCode = "200", description = "Nothing differs from the revision in use")
  @ApiResponse(responseCode = "201", description = "The theme is in use, in a new revision")
  @ApiResponse(responseCode = "404", description = "There is no such realm")
  @ApiResponse(responseCode = "409", description = "The configuration is read from files, where changes are made")
  @ApiResponse(responseCode = "412", description = "Another revision is in use; `changes` says what differs from that of `If-Match`")
  @ApiResponse(responseCode = "422", description = "The theme has problems; nothing was changed")
  @ApiResponse(responseCode = "428", description = "`If-Match` is missing")
  public ResponseEntity<PlanView> put(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = "Why, for people who read the revisions later") @RequestParam("reason") Optional<String> reason,
      @Parameter(description = "The revision that the change was made for, in quotation marks")
          @RequestHeader(name = "If-Match", defaultValue = "") String ifMatch,
      @RequestBody ThemeView theme,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    long expected = files.expected(ifMatch);
    return files.put(realm, themes.write(realm, theme), expected, reason.orElse("Change the theme of " + realm), rights);
  }
}
