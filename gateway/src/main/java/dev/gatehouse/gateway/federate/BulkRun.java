package dev.gatehouse.gateway.federate;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.federation.BulkFederation.Line;
import dev.gatehouse.common.federation.BulkFederation.Outcome;
import dev.gatehouse.common.federation.BulkFederation.Reason;
import dev.gatehouse.gateway.federate.BulkJournal.State;
import dev.gatehouse.gateway.federate.NamePairLine.Content;
import dev.gatehouse.gateway.federate.NamePairLine.Content.Pair;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Processes a file of name pairs in batches. */
public final class BulkRun {

  private static final int BATCH = 500;

  /**
   * The files of a run.
   *
   * @param names written for the other end, with its local names and the NameIDs, if only one end issues names
   */
  public record Paths(Path pairs, Path journal, Path rejects, Optional<Path> names) {}

  /**
   * The counters of a run.
   *
   * @param federated people who were federated by the run
   * @param before people who were federated before
   */
  public record Result(long lines, long federated, long before, long rejected) {}

  /** Receives the progress. */
  public interface Progress {
    /**
     * @param done bytes of the file that are done
     * @param all bytes of the file
     */
    void at(long done, long all, Result soFar);
  }

  private final Paths paths;
  private final Optional<FederationEnd> issuer;
  private final Optional<FederationEnd> linker;
  private final Progress progress;

  /**
   * At least one of the ends is present.
   *
   * @param issuer issues names
   * @param linker links names
   */
  public BulkRun(Paths paths, Optional<FederationEnd> issuer, Optional<FederationEnd> linker, Progress progress) {
    this.paths = paths;
    this.issuer = issuer;
    this.linker = linker;
    this.progress = progress;
  }

  /**
   * Runs from the state in the journal to the end of the file; returns the result of a run that was already finished.
   *
   * @param about describes the ends; the journal is compared by it
   */
  public Result run(String about) throws IOException {
    long all = Files.size(paths.pairs());
    try (BulkJournal journal = new BulkJournal(paths.journal(), "gatehouse bulk 1 " + digest(paths.pairs()) + " " + about)) {
      State state = journal.last();
      if (state.finished()) {
        return result(state);
      }
      try (PairsFile pairs = new PairsFile(paths.pairs(), state.position(), state.line());
          AppendedFile rejects = new AppendedFile(paths.rejects(), state.rejectsLength());
          Names names = new Names(paths.names(), state.namesLength())) {
        List<NamePairLine> batch = pairs.next(BATCH);
        while (!batch.isEmpty()) {
          state = process(batch, state, names, rejects);
          journal.record(state);
          progress.at(state.position(), all, result(state));
          batch = pairs.next(BATCH);
        }
        journal.record(state.atEnd());
      }
      return result(state);
    }
  }

  /** The file of names, if it is written. */
  private record Names(Optional<AppendedFile> file) implements AutoCloseable {

    Names(Optional<Path> path, long length) throws IOException {
      this(path.isPresent() ? Optional.of(new AppendedFile(path.get(), length)) : Optional.empty());
    }

    long length() throws IOException {
      return file.isPresent() ? file.get().length() : 0;
    }

    void append(String text) throws IOException {
      if (file.isPresent()) {
        file.get().append(text);
      }
    }

    @Override
    public void close() throws IOException {
      if (file.isPresent()) {
        file.get().close();
      }
    }
  }

  /** The result of one line so far: a NameID, or the reason why it was rejected. */
  private record LineResult(Optional<String> nameId, boolean isNew, Optional<String> rejected) {
    static LineResult rejected(String why) {
      return new LineResult(Optional.empty(), false, Optional.of(why));
    }
  }

  private State process(List<NamePairLine> batch, State before, Names names, AppendedFile rejects) throws IOException {
    Map<NamePairLine, LineResult> results = new LinkedHashMap<>();
    Map<NamePairLine, Pair> open = new LinkedHashMap<>();
    for (NamePairLine line : batch) {
      switch (line.content()) {
        case Content.Blank() -> {}
        case Content.Bad(String why) -> results.put(line, LineResult.rejected(why));
        case Pair pair -> open.put(line, pair);
      }
    }
    issuer.ifPresent(end -> issueNames(end, open, results));
    linker.ifPresent(end -> link(end, open, results));
    StringBuilder named = new StringBuilder();
    StringBuilder refused = new StringBuilder();
    long fresh = 0;
    long known = 0;
    long rejected = 0;
    for (NamePairLine line : batch) {
      Optional<LineResult> result = Optional.ofNullable(results.get(line));
      if (result.isPresent() && result.get().rejected().isPresent()) {
        rejected++;
        refused.append(rejection(line, result.get().rejected().get()));
      } else if (result.isPresent()) {
        fresh += result.get().isNew() ? 1 : 0;
        known += result.get().isNew() ? 0 : 1;
        named.append(CsvLine.write(List.of(Objects.requireNonNull(open.get(line)).second(), result.get().nameId().orElseThrow())));
      }
    }
    names.append(named.toString());
    rejects.append(refused.toString());
    NamePairLine last = batch.getLast();
    return new State(
        last.end(),
        last.number(),
        before.federated() + fresh,
        before.before() + known,
        before.rejected() + rejected,
        names.length(),
        rejects.length(),
        false);
  }

  private static String rejection(NamePairLine line, String why) {
    return CsvLine.write(List.of(String.valueOf(line.number()), why, CsvLine.harmless(line.raw())));
  }

  private static void issueNames(FederationEnd end, Map<NamePairLine, Pair> open, Map<NamePairLine, LineResult> results) {
    List<NamePairLine> lines = List.copyOf(open.keySet());
    List<Outcome> outcomes =
        apply(end, lines.stream().map(open::get).map(pair -> new Line(pair.first(), pair.third())).toList());
    for (int i = 0; i < lines.size(); i++) {
      results.put(lines.get(i), result(outcomes.get(i), Optional.empty(), "the identity provider"));
    }
  }

  /**
   * Links the NameIDs that the identity provider's end has issued; without that end the second column is the NameID.
   */
  private void link(FederationEnd end, Map<NamePairLine, Pair> open, Map<NamePairLine, LineResult> results) {
    List<NamePairLine> lines = new ArrayList<>();
    List<Line> wanted = new ArrayList<>();
    open.forEach(
        (line, pair) -> {
          Optional<LineResult> given = Optional.ofNullable(results.get(line));
          if (issuer.isEmpty()) {
            lines.add(line);
            wanted.add(new Line(pair.first(), Optional.of(pair.second())));
          } else if (given.isPresent() && given.get().nameId().isPresent()) {
            lines.add(line);
            wanted.add(new Line(pair.second(), given.get().nameId()));
          }
        });
    List<Outcome> outcomes = apply(end, wanted);
    for (int i = 0; i < lines.size(); i++) {
      Optional<LineResult> given = Optional.ofNullable(results.get(lines.get(i)));
      results.put(lines.get(i), result(outcomes.get(i), given, "the service provider"));
    }
  }

  private static List<Outcome> apply(FederationEnd end, List<Line> lines) {
    if (lines.isEmpty()) {
      return List.of();
    }
    List<Outcome> outcomes = end.apply(lines);
    if (outcomes.size() != lines.size()) {
      throw new FederationEndFailed("The node answered " + outcomes.size() + " outcomes to " + lines.size() + " lines.");
    }
    return outcomes;
  }

  private static LineResult result(Outcome outcome, Optional<LineResult> before, String where) {
    return switch (outcome) {
      case Outcome.Federated(String nameId, boolean isNew) ->
          new LineResult(Optional.of(nameId), isNew || before.filter(LineResult::isNew).isPresent(), Optional.empty());
      case Outcome.Rejected(Reason reason) -> LineResult.rejected("at " + where + ": " + text(reason));
    };
  }

  private static String text(Reason reason) {
    return switch (reason) {
      case LOCAL_NAME_UNKNOWN -> "nobody has that login name";
      case LOCAL_NAME_AMBIGUOUS -> "several people have that login name";
      case NAME_ID_MISSING -> "no NameID";
      case NAME_ID_UNUSABLE -> "no usable NameID";
      case NAME_ID_TAKEN -> "the NameID is, or was, another person's";
      case PERSON_HAS_ANOTHER -> "the person has another NameID";
    };
  }

  private static Result result(State state) {
    return new Result(state.line(), state.federated(), state.before(), state.rejected());
  }

  private static String digest(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = Sha256.instance();
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
      return HexFormat.of().formatHex(digest.digest());
    }
  }
}
