package dev.gatehouse.sp.inspection;

import dev.gatehouse.sp.inspection.Inspection.Account;
import dev.gatehouse.sp.inspection.Inspection.Check;
import dev.gatehouse.sp.inspection.Inspection.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A recorded answer, inspected again.
 *
 * @param now what the present configuration, metadata and keys make of it
 * @param differences from the time of the recording, one text each; empty if nothing differs
 */
public record Replay(String realm, String identityProvider, Inspection now, List<String> differences) {

  static Replay of(Recording recording, Inspection now) {
    Inspection then = recording.inspection().orElse(now);
    List<String> differences = new ArrayList<>();
    compare(differences, "check", verdicts(then.checks(), Check::name, Replay::verdict), verdicts(now.checks(), Check::name, Replay::verdict));
    compare(differences, "value", verdicts(then.values(), Replay::value, Replay::verdict), verdicts(now.values(), Replay::value, Replay::verdict));
    String before = then.account().map(Replay::account).orElse("none");
    String after = now.account().map(Replay::account).orElse("none");
    if (!before.equals(after)) {
      differences.add("account: " + before + ", now " + after);
    }
    return new Replay(recording.realm(), recording.identityProvider(), now, List.copyOf(differences));
  }

  private static <T> Map<String, String> verdicts(List<T> all, Function<T, String> name, Function<T, String> verdict) {
    Map<String, String> verdicts = new LinkedHashMap<>();
    all.forEach(one -> verdicts.put(name.apply(one), verdict.apply(one)));
    return verdicts;
  }

  private static void compare(List<String> differences, String kind, Map<String, String> then, Map<String, String> now) {
    then.forEach(
        (name, verdict) -> {
          String present = Optional.ofNullable(now.get(name)).orElse("not reached");
          if (!present.equals(verdict)) {
            differences.add(kind + " " + name + ": " + verdict + ", now " + present);
          }
        });
    now.forEach(
        (name, verdict) -> {
          if (!then.containsKey(name)) {
            differences.add(kind + " " + name + ": not reached, now " + verdict);
          }
        });
  }

  private static String verdict(Check check) {
    return check.reason().map(reason -> "failed (" + reason + ")").orElse("passed");
  }

  private static String value(Value value) {
    return value.attribute() + "=" + value.value();
  }

  private static String verdict(Value value) {
    return value.dropped().map(reason -> "dropped (" + reason + ")").orElse("counts");
  }

  private static String account(Account account) {
    return account.outcome() + account.name().map(name -> " " + name).orElse("") + account.problem().map(problem -> " " + problem).orElse("");
  }
}
