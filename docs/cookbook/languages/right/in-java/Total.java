import java.util.Locale;
import java.util.Scanner;

public class Total {
    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in).useLocale(Locale.ROOT);
        double total = 0;
        while (input.hasNext()) {
            if (!input.hasNextDouble()) {
                System.err.println("no number");
                System.exit(2);
            }
            total += input.nextDouble();
        }
        System.out.println(total);
    }
}
