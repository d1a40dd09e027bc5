package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.admin.AdminResource.PersonReference;
import dev.gatehouse.common.admin.TokenDesk.Change;
import dev.gatehouse.common.admin.TokenDesk.Refusal;
import dev.gatehouse.common.admin.TokenDesk.TokenView;
import dev.gatehouse.common.admin.TokenImport.Rejected;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.gateway.admin.job.JobWork.JobFailed;
import dev.gatehouse.gateway.admin.job.JobWork.JobProgress;
import dev.gatehouse.gateway.admin.job.JobWork.RightsWithdrawn;
import dev.gatehouse.gateway.admin.token.ChangeLines.Line;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.NotFound;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changes of a file, one after the other, each with its own entry in the audit log. All are checked before the first is made; whether a
 * token is still as it has to be, is known only when its turn comes.
 */
final class TokenChanges {

  private static final Logger LOG = LoggerFactory.getLogger(TokenChanges.class);
  private static final String FAULT = "A fault, which the log of the node has: read the token to see whether it was changed.";
  private static final String NOT_TRIED_AFTER_FAULT = "Not tried, because of the fault at a line before it.";
  private static final String NOT_TRIED = "Not tried, because a line before it was refused.";

  private final TokenAccess access;
  private final AdminAudit audit;
  private final String realm;
  private final AdminRights begun;
  private final Supplier<Optional<AdminRights>> present;
  private final String digest;
  private final ChangeLines file;
  private final boolean skip;
  private final boolean dryRun;

  /**
   * @param digest of the file, for the audit log
   * @param skip whether lines that are wrong or refused are left out
   * @param dryRun whether the lines are only checked
   */
  TokenChanges(
      TokenAccess access, AdminAudit audit, String realm, AdminRights rights, String digest, ChangeLines file, boolean skip, boolean dryRun) {
    this.access = access;
    this.audit = audit;
    this.realm = realm;
    this.begun = rights;
    this.present = access.present(rights);
    this.digest = digest;
    this.file = file;
    this.skip = skip;
    this.dryRun = dryRun;
  }

  Map<String, Object> run(JobProgress progress) throws JobFailed {
    List<Line> lines = file.lines();
    List<Rejected> rejected = new ArrayList<>(file.wrong());
    List<Line> right = new ArrayList<>();
    for (Line line : lines) {
      progress.at(0, lines.size());
      problem(line).ifPresentOrElse(reason -> rejected.add(rejected(line, reason)), () -> right.add(line));
    }
    if (!rejected.isEmpty() && !skip && !dryRun) {
      rejected.sort(Comparator.comparingInt(Rejected::number));
      throw new JobFailed(RejectedEntries.named(rejected) + " Nothing was changed.");
    }
    int changed = dryRun ? 0 : make(right, rejected, progress);
    rejected.sort(Comparator.comparingInt(Rejected::number));
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("read", lines.size() + file.wrong().size());
    result.put("changed", changed);
    RejectedEntries.put(result, rejected);
    return result;
  }

  private int make(List<Line> lines, List<Rejected> rejected, JobProgress progress) {
    int changed = 0;
    Optional<String> notTried = Optional.empty();
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      Optional<String> refusal = notTried.isPresent() ? notTried : tried(line);
      if (refusal.isPresent()) {
        rejected.add(rejected(line, refusal.get()));
        notTried = notTried.or(() -> notTriedAfter(refusal.get()));
      } else {
        changed++;
      }
      progress.at(i + 1L, lines.size());
    }
    return changed;
  }

  private Optional<String> notTriedAfter(String refusal) {
    if (refusal.equals(FAULT)) {
      return Optional.of(NOT_TRIED_AFTER_FAULT);
    }
    return skip ? Optional.empty() : Optional.of(NOT_TRIED);
  }

  /** A fault does not take away what the job has done so far. */
  private Optional<String> tried(Line line) {
    try {
      return make(line);
    } catch (RightsWithdrawn e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.warn("The change of line {} failed", line.number(), e);
      return Optional.of(FAULT);
    }
  }

  private static Rejected rejected(Line line, String reason) {
    return new Rejected(line.number(), line.serial(), reason);
  }

  /** Returns why the change cannot be made, whatever comes before it. */
  private Optional<String> problem(Line line) {
    try {
      permitted(line);
      return change(line) instanceof Change.Assign(String person) && !access.desk(realm).knows(realm, person)
          ? Optional.of(Refusal.PERSON_UNKNOWN.sentence())
          : Optional.empty();
    } catch (NotFound | Conflict | BadRequest e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private Optional<String> make(Line line) {
    try {
      TokenView before = permitted(line);
      Change change = change(line);
      Map<String, String> details = new TreeMap<>();
      details.put("file", digest);
      details.put("serial", before.serial());
      details.put("person", before.person().orElse("-"));
      details.put("state", before.state());
      before.expiresAt().ifPresent(end -> details.put("expired", end.toString()));
      switch (change) {
        case Change.Assign(String person) -> details.put("to", person);
        case Change.Replace(String by) -> details.put("by", by);
        case Change.Expire(var at) -> details.put("expires", at.map(Object::toString).orElse("never"));
        case Change other -> {}
      }
      audit.record(realm, begun.administrator(), "token." + line.action().word(), details);
      return switch (access.desk(realm).change(realm, before, change)) {
        case Result.Accepted<TokenView, Refusal> done -> Optional.empty();
        case Result.Refused<TokenView, Refusal>(Refusal refusal) -> Optional.of(refusal.sentence());
      };
    } catch (NotFound | Conflict | BadRequest e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** The rights of now: whoever lost the role meanwhile changes nothing more. */
  private AdminRights rights() {
    return present.get().filter(now -> now.may(AdministratorRole.OPERATOR, realm)).orElseThrow(RightsWithdrawn::new);
  }

  /** Returns the token if the administrator may act on its person. */
  private TokenView permitted(Line line) {
    AdminRights rights = rights();
    TokenView token = access.find(realm, line.serial());
    token.person().ifPresent(id -> access.requirePermitted(rights, realm, new PersonReference(id, id)));
    return token;
  }

  private Change change(Line line) {
    return switch (line.action()) {
      case ASSIGN -> new Change.Assign(person(line.person()));
      case UNASSIGN -> new Change.Unassign();
      case ENABLE -> new Change.Enable();
      case DISABLE -> new Change.Disable();
      case LOST -> new Change.Lose();
      case FOUND -> new Change.Find();
      case REPLACE -> new Change.Replace(access.find(realm, line.by()).serial());
      case EXPIRE -> new Change.Expire(line.expires());
    };
  }

  private String person(String name) {
    PersonReference person = access.person(realm, name);
    access.requirePermitted(rights(), realm, person);
    return person.id();
  }
}
