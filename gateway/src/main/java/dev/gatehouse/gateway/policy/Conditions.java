package dev.gatehouse.gateway.policy;

import dev.gatehouse.common.expression.Expression;
import dev.gatehouse.common.expression.ExpressionFailed;
import dev.gatehouse.common.group.GroupName;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.PolicyConfig.Values;
import dev.gatehouse.common.saml.AttributeName;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Evaluates conditions, and formats them as text. */
final class Conditions {

  private Conditions() {}

  /** Returns whether the result may differ between two requests of the same person. */
  static boolean asksRequest(Condition condition) {
    return switch (condition) {
      case Condition.AnyRole roles -> false;
      case Condition.AllRoles roles -> false;
      case Condition.AnyGroup groups -> false;
      case Condition.AllGroups groups -> false;
      case Condition.User(Values values) -> !values.variables().isEmpty();
      case Condition.Attribute(String name, Values values) -> !values.variables().isEmpty();
      case Condition.Present present -> false;
      case Condition.Login login -> false;
      case Condition.Client client -> true;
      case Condition.Weekly weekly -> true;
      case Condition.Dates dates -> true;
      case Condition.Methods methods -> true;
      case Condition.When(Expression expression) -> expression.asksRequest();
    };
  }

  static boolean holds(Condition condition, SubjectAttributes who, RequestAttributes request) throws ExpressionFailed {
    return switch (condition) {
      case Condition.AnyRole(Set<String> names) -> GroupName.isAny(names, who.roles());
      case Condition.AllRoles(Set<String> names) -> GroupName.areAll(names, who.roles());
      case Condition.AnyGroup(Set<String> names) -> GroupName.isAny(names, who.groups());
      case Condition.AllGroups(Set<String> names) -> GroupName.areAll(names, who.groups());
      case Condition.User(Values values) -> one(values, List.of(who.user()), request);
      case Condition.Attribute(String name, Values values) -> one(values, who.attribute(AttributeName.plain(name)), request);
      case Condition.Present(String name) -> !who.attribute(AttributeName.plain(name)).isEmpty();
      case Condition.Login(List<String> refs) -> who.authnContext().isPresent() && refs.contains(who.authnContext().get());
      case Condition.Client(List<Cidr> blocks) -> within(blocks, request.client());
      case Condition.Times times -> times.holds(request.now());
      case Condition.Methods(Set<String> names) -> covers(names, request.method());
      case Condition.When(Expression expression) -> expression.holds(name -> value(name, who, request));
    };
  }

  /** {@code GET} covers {@code HEAD}, which differs only in its missing body (RFC 9110, section 9.3.2). */
  static boolean covers(Set<String> methods, String method) {
    return methods.contains(method) || method.equals("HEAD") && methods.contains("GET");
  }

  private static boolean any(Set<String> names, List<String> has) {
    for (String name : has) {
      if (names.contains(name)) {
        return true;
      }
    }
    return false;
  }

  private static boolean one(Values values, List<String> has, RequestAttributes request) {
    if (any(values.fixed(), has)) {
      return true;
    }
    for (String variable : values.variables()) {
      Optional<String> value = request.variable(variable);
      if (value.isPresent() && has.contains(value.get())) {
        return true;
      }
    }
    return false;
  }

  private static boolean within(List<Cidr> blocks, InetAddress client) {
    for (Cidr block : blocks) {
      if (block.contains(client)) {
        return true;
      }
    }
    return false;
  }

  private static Optional<Object> value(String name, SubjectAttributes who, RequestAttributes request) {
    return switch (name) {
      case "person.user" -> Optional.of(who.user());
      case "person.roles" -> Optional.of(who.roles());
      case "person.groups" -> Optional.of(who.groups());
      case "person.attributes" -> Optional.of(who.attributes());
      case "person.provider" -> Optional.of(who.provider());
      case "request.method" -> Optional.of(request.method());
      case "request.path" -> Optional.of(request.path());
      case "request.host" -> Optional.of(request.host());
      case "request.client" -> Optional.of(request.client().getHostAddress());
      case "now" -> Optional.of(request.now());
      case String variable when variable.startsWith("path.") ->
          request.variable(variable.substring("path.".length())).map(v -> v);
      case String unknown -> Optional.empty();
    };
  }

  /** The text of a condition in an explanation. */
  static String text(Condition condition) {
    return switch (condition) {
      case Condition.AnyRole(Set<String> names) -> "roles: " + list(names);
      case Condition.AllRoles(Set<String> names) -> "allRoles: " + list(names);
      case Condition.AnyGroup(Set<String> names) -> "groups: " + list(names);
      case Condition.AllGroups(Set<String> names) -> "allGroups: " + list(names);
      case Condition.User(Values values) -> "user: " + list(values);
      case Condition.Attribute(String name, Values values) -> "attributes: " + name + ": " + list(values);
      case Condition.Present(String name) -> "present: " + name;
      case Condition.Login(List<String> refs) -> "authnContext: " + String.join(", ", refs);
      case Condition.Client(List<Cidr> blocks) ->
          "addresses: " + list(blocks.stream().map(b -> b.network().getHostAddress() + "/" + b.prefixLength()).toList());
      case Condition.Weekly w -> "time: " + list(w.days().stream().map(d -> d.name().substring(0, 3)).toList())
          + " " + w.from() + " to " + w.to() + " " + w.zone();
      case Condition.Dates(Optional<Instant> from, Optional<Instant> to) ->
          "time:" + from.map(f -> " from " + f).orElse("") + to.map(t -> " until " + t).orElse("");
      case Condition.Methods(Set<String> names) -> "methods: " + list(names);
      case Condition.When(Expression expression) -> "when: " + expression.text();
    };
  }

  private static String list(Values values) {
    TreeSet<String> all = new TreeSet<>(values.fixed());
    values.variables().forEach(variable -> all.add("{" + variable + "}"));
    return list(all);
  }

  private static String list(Collection<String> names) {
    return String.join(", ", names);
  }
}
