package dev.gatehouse.common.expression;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.Program;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A compiled condition in CEL. It may refer to {@code person.user}, {@code person.roles}, {@code person.groups}, {@code
 * person.attributes} (lists by name), {@code person.provider}, {@code request.method}, {@code request.path}, {@code request.host},
 * {@code request.client}, {@code path.NAME} for the variables of the route's path, and {@code now}. It cannot refer to anything else,
 * since CEL has no side effects and no access to objects. Its length, depth, steps and regular expressions are bounded (RE2: linear
 * time).
 */
public final class Expression {

  /**
   * One mistake.
   *
   * @param line of the expression, 1-based
   * @param column 1-based
   */
  public record Mistake(int line, int column, String message) {}

  /** The result of compiling a text. */
  public sealed interface Result {
    record Compiled(Expression expression) implements Result {}

    record Wrong(List<Mistake> mistakes) implements Result {}
  }

  private static final int LONGEST = 2_000;

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .maxExpressionCodePointSize(LONGEST)
          .maxParseRecursionDepth(40)
          .maxParseExpressionNodeCount(500)
          .comprehensionMaxIterations(2_000)
          .maxRegexProgramSize(1_000)
          .enableHeterogeneousNumericComparisons(true)
          .build();

  private static final ListType TEXTS = ListType.create(SimpleType.STRING);
  private static final String PATH = "path.";

  private final String text;
  private final Program program;
  private final Set<String> names;

  private Expression(String text, Program program, Set<String> names) {
    this.text = text;
    this.program = program;
    this.names = Set.copyOf(names);
  }

  /** @param pathVariables the names that may follow {@code path.} */
  public static Result compile(String text, Set<String> pathVariables) {
    try {
      CelAbstractSyntaxTree tree = compiler(pathVariables).build().compile(text).getAst();
      List<Mistake> patterns = wrongPatterns(tree);
      if (!patterns.isEmpty()) {
        return new Result.Wrong(patterns);
      }
      CelRuntime runtime = CelRuntimeFactory.plannerRuntimeBuilder().setOptions(OPTIONS).build();
      Set<String> names = new TreeSet<>();
      tree.getReferenceMap().values().forEach(reference -> names.add(reference.name()));
      return new Result.Compiled(new Expression(text, runtime.createProgram(tree), names));
    } catch (CelValidationException e) {
      return new Result.Wrong(e.getErrors().stream().map(Expression::mistake).toList());
    } catch (CelEvaluationException e) {
      return new Result.Wrong(List.of(new Mistake(1, 1, String.valueOf(e.getMessage()))));
    }
  }

  private static CelCompilerBuilder compiler(Set<String> pathVariables) {
    CelCompilerBuilder compiler =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .setResultType(SimpleType.BOOL)
            .addVar("person.user", SimpleType.STRING)
            .addVar("person.roles", TEXTS)
            .addVar("person.groups", TEXTS)
            .addVar("person.attributes", MapType.create(SimpleType.STRING, TEXTS))
            .addVar("person.provider", SimpleType.STRING)
            .addVar("request.method", SimpleType.STRING)
            .addVar("request.path", SimpleType.STRING)
            .addVar("request.host", SimpleType.STRING)
            .addVar("request.client", SimpleType.STRING)
            .addVar("now", SimpleType.TIMESTAMP);
    pathVariables.forEach(name -> compiler.addVar(PATH + name, SimpleType.STRING));
    return compiler;
  }

  private static Mistake mistake(CelIssue issue) {
    int line = Math.max(1, issue.getSourceLocation().getLine());
    // The first line is enough: parsers add lists of expected tokens.
    String message = issue.getMessage().lines().findFirst().orElse("is no expression");
    return new Mistake(line, issue.getSourceLocation().getColumn() + 1, message);
  }

  /** Checks literal patterns of {@code matches}: CEL itself would find their mistakes only at the first request. */
  private static List<Mistake> wrongPatterns(CelAbstractSyntaxTree tree) {
    return CelNavigableAst.fromAst(tree)
        .getRoot()
        .allNodes()
        .map(CelNavigableExpr::expr)
        .filter(expr -> expr.getKind() == CelExpr.ExprKind.Kind.CALL && expr.call().function().equals("matches"))
        .flatMap(expr -> pattern(expr.call()).stream())
        .flatMap(literal -> wrongPattern(tree, literal).stream())
        .toList();
  }

  private static Optional<CelExpr> pattern(CelCall matches) {
    return Optional.of(matches.args().getLast()).filter(arg -> arg.getKind() == CelExpr.ExprKind.Kind.CONSTANT);
  }

  private static Optional<Mistake> wrongPattern(CelAbstractSyntaxTree tree, CelExpr literal) {
    CelConstant constant = literal.constant();
    if (constant.getKind() != CelConstant.Kind.STRING_VALUE) {
      return Optional.empty();
    }
    try {
      Pattern.compile(constant.stringValue());
      return Optional.empty();
    } catch (PatternSyntaxException e) {
      int at = Optional.ofNullable(tree.getSource().getPositionsMap().get(literal.id())).orElse(0);
      int line = (int) tree.getSource().getContent().toString().substring(0, at).chars().filter(c -> c == '\n').count();
      int column = at - tree.getSource().getContent().toString().lastIndexOf('\n', at - 1);
      return Optional.of(new Mistake(line + 1, Math.max(1, column), "is no regular expression: " + e.getDescription()));
    }
  }

  /** Returns the expression as written. */
  public String text() {
    return text;
  }

  /** Returns whether it depends on anything that may differ between requests of the same person. */
  public boolean asksRequest() {
    return names.stream().anyMatch(n -> n.startsWith("request.") || n.startsWith(PATH) || n.equals("now"));
  }

  public boolean asksPerson() {
    return names.stream().anyMatch(name -> name.startsWith("person."));
  }

  /** Returns the path variables that it uses. */
  public Set<String> pathVariables() {
    return names.stream()
        .filter(name -> name.startsWith(PATH))
        .map(name -> name.substring(PATH.length()))
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Evaluates the condition.
   *
   * @param values of the names that it uses, {@code person.user} and so on; empty for a missing value
   */
  public boolean holds(Function<String, Optional<Object>> values) throws ExpressionFailed {
    try {
      // The compiler ensures that the result is a boolean; an unknown value is not one.
      if (program.eval(values::apply) instanceof Boolean value) {
        return value;
      }
      throw new ExpressionFailed("has no value");
    } catch (CelEvaluationException | RuntimeException e) {
      throw new ExpressionFailed(String.valueOf(e.getMessage()));
    }
  }

  /** Expressions are equal if their texts are. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Expression expression && expression.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
