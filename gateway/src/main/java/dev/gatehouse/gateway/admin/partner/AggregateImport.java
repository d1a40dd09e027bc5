package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.gateway.admin.job.JobView;
import dev.gatehouse.gateway.admin.web.BadRequest;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Metadata of many entities, of which some are to be imported. */
@Schema(name = "AggregateImport")
public record AggregateImport(
    @Schema(description = "Address of the aggregate", example = "https://federation.example.org/metadata.xml") Optional<String> url,
    @Schema(description = "The aggregate itself") Optional<String> xml,
    @Schema(description = "Certificate in PEM whose key must have signed the aggregate as a whole") String verifyWith,
    @Schema(description = "The entities to import; either these or `all`") Optional<List<String>> entityIds,
    @Schema(description = "true: all entities, but those that the realm already has from elsewhere") Optional<Boolean> all,
    @Schema(description = "With `all`: only identity providers or only service providers", allowableValues = {"idp", "sp"})
        Optional<String> role,
    @Schema(description = "Further keys of each partner, for example `accept`; those in use stay unless they are here")
        Optional<Map<String, @Nullable Object>> settings,
    @Schema(description = "Why, for people who read the revisions later") Optional<String> reason) {

  private static final int MOST_CHOSEN = 10_000;

  /** The beginning of the problem of a job that refused an older aggregate: nothing else begins so, whatever entities are called. */
  static final String OLDER = "The aggregate is older than one that was imported before";

  /** Throws unless it says from where and what. */
  void check() {
    if (url.isPresent() == xml.isPresent()) {
      throw new BadRequest("Write either `url` or `xml`.");
    }
    if (isAll() == entityIds.isPresent()) {
      throw new BadRequest("Write either `entityIds`, or `all` with the value true.");
    }
    if (entityIds.filter(ids -> ids.isEmpty() || ids.size() > MOST_CHOSEN).isPresent()) {
      throw new BadRequest("`entityIds` has 1 to " + MOST_CHOSEN + " entity IDs.");
    }
    if (role.isPresent() && (!isAll() || !List.of("idp", "sp").contains(role.get()))) {
      throw new BadRequest("`role` is idp or sp, and chooses among `all`.");
    }
    if (settings.filter(keys -> keys.containsKey("entityId") || keys.containsKey("metadata")).isPresent()) {
      throw new BadRequest("`settings` has neither entityId nor metadata, which are imported.");
    }
  }

  /** Returns whether the job refused an aggregate because it is older than one that was imported before. */
  public static boolean wasOlder(JobView job) {
    return job.problem().filter(text -> text.startsWith(OLDER)).isPresent();
  }

  boolean isAll() {
    return all.orElse(false);
  }

  /** Returns whether entities with those roles are wanted. */
  boolean wants(boolean isIdentityProvider, boolean isServiceProvider) {
    boolean isSaml2 = isIdentityProvider || isServiceProvider;
    return role.map(word -> word.equals("idp") ? isIdentityProvider : isServiceProvider).orElse(isSaml2);
  }
}
