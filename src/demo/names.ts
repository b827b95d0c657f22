/** First and last names by language, `native|latin` if the script is not Latin. People are random combinations. */
export interface Culture {
  readonly language: string;
  readonly cities: readonly string[];
  /** Offset from UTC in minutes. */
  readonly zone: number;
  readonly familyFirst?: boolean;
  readonly given: readonly string[];
  /** Empty if people have a single name. */
  readonly family: readonly string[];
}

export const cultures: readonly Culture[] = [
  {
    language: 'en',
    cities: ['Leeds', 'Bristol', 'Galway', 'Halifax'],
    zone: 60,
    given: ['Nora', 'Imogen', 'Callum', 'Rhys', 'Saoirse', 'Desmond', 'Tamsin', 'Harriet'],
    family: [
      'O’Rourke',
      'Whitlock',
      'Penhaligon',
      'Ashby',
      'McAllister',
      'Thistlewood',
      'Okafor-Reed',
      'Lowry',
    ],
  },
  {
    language: 'de',
    cities: ['Leipzig', 'Köln', 'Zürich', 'Wien'],
    zone: 120,
    given: ['Jörg', 'Käthe', 'Anneliese', 'Matthäus', 'Friederike', 'Günther', 'Silke'],
    family: [
      'Weiß',
      'Müller-Lüdenscheidt',
      'Hölzenbein',
      'Straßburger',
      'Brückner',
      'Vogelsang',
      'Königs',
    ],
  },
  {
    language: 'fr',
    cities: ['Lyon', 'Orléans', 'Liège', 'Québec'],
    zone: 120,
    given: ['Aurélie', 'François', 'Zoé', 'Maëlle', 'Étienne', 'Hélène', 'Loïc'],
    family: ['Lefèvre', 'd’Arcy-Bélanger', 'Noël', 'Crépin', 'Guérin', 'Marchandeau', 'Bœuf'],
  },
  {
    language: 'es',
    cities: ['Zaragoza', 'Medellín', 'Córdoba', 'Mérida'],
    zone: 120,
    given: ['Íñigo', 'Begoña', 'Ximena', 'Andrés', 'Nuria', 'Joaquín'],
    family: ['Núñez Carrión', 'Ibáñez', 'Peñalver', 'Quiñones', 'García Ortuño', 'Zúñiga'],
  },
  {
    language: 'pl',
    cities: ['Łódź', 'Gdańsk', 'Kraków'],
    zone: 120,
    given: ['Małgorzata', 'Łukasz', 'Świętosława', 'Błażej', 'Jagoda'],
    family: ['Żółkiewska', 'Brzęczyszczykiewicz', 'Wiśniewska', 'Dąbrowa', 'Gąsior'],
  },
  {
    language: 'cs',
    cities: ['Brno', 'Plzeň', 'Olomouc'],
    zone: 120,
    given: ['Jiří', 'Ludmila', 'Řehoř', 'Zdeňka', 'Ondřej'],
    family: ['Dvořáček', 'Šťastná', 'Hřebíček', 'Novotný', 'Kučerová'],
  },
  {
    language: 'is',
    cities: ['Reykjavík', 'Ísafjörður'],
    zone: 0,
    given: ['Þórdís', 'Ægir', 'Guðrún', 'Sæmundur'],
    family: ['Þorsteinsdóttir', 'Ólafsson', 'Eyjólfsdóttir', 'Hálfdánarson'],
  },
  {
    language: 'tr',
    cities: ['İzmir', 'Eskişehir', 'Muğla'],
    zone: 180,
    given: ['Çiğdem', 'İlknur', 'Oğuz', 'Şule', 'Gülşah'],
    family: ['Yıldırım', 'Özgür', 'Karaağaç', 'Işık', 'Demirtaş'],
  },
  {
    language: 'vi',
    cities: ['Huế', 'Đà Nẵng'],
    zone: 420,
    familyFirst: true,
    given: ['Thị Hồng', 'Đức Anh', 'Quỳnh', 'Văn Tâm'],
    family: ['Nguyễn', 'Trần', 'Đặng', 'Phạm'],
  },
  {
    language: 'el',
    cities: ['Θεσσαλονίκη', 'Πάτρα', 'Χανιά'],
    zone: 180,
    given: [
      'Ελένη|eleni',
      'Γιώργος|giorgos',
      'Ευαγγελία|evangelia',
      'Στέλιος|stelios',
      'Ιφιγένεια|ifigeneia',
    ],
    family: [
      'Παπαδοπούλου|papadopoulou',
      'Καραγιάννης|karagiannis',
      'Σταυρίδη|stavridi',
      'Ψαρράς|psarras',
    ],
  },
  {
    language: 'uk',
    cities: ['Львів', 'Одеса', 'Чернівці'],
    zone: 180,
    given: ['Оксана|oksana', 'Тарас|taras', 'Соломія|solomiia', 'Їларія|yilariia', 'Ганна|hanna'],
    family: ['Шевчук|shevchuk', 'Коваленко|kovalenko', 'Гнатюк|hnatiuk', 'Бойчук|boichuk'],
  },
  {
    language: 'bg',
    cities: ['Пловдив', 'Варна'],
    zone: 180,
    given: ['Цветана|tsvetana', 'Любомир|lyubomir', 'Йоана|yoana', 'Стоян|stoyan'],
    family: ['Желязкова|zhelyazkova', 'Петров|petrov', 'Ангелова|angelova', 'Щерев|shterev'],
  },
  {
    language: 'zh',
    cities: ['杭州', '台北', '成都', '厦门'],
    zone: 480,
    familyFirst: true,
    given: [
      '文静|wenjing',
      '子涵|zihan',
      '思远|siyuan',
      '雨桐|yutong',
      '建国|jianguo',
      '若曦|ruoxi',
    ],
    family: ['王|wang', '欧阳|ouyang', '林|lin', '陈|chen', '诸葛|zhuge'],
  },
  {
    language: 'ja',
    cities: ['京都', '札幌', '金沢', '福岡'],
    zone: 540,
    familyFirst: true,
    given: [
      '美咲|misaki',
      '健太郎|kentaro',
      'さくら|sakura',
      '蓮|ren',
      '千尋|chihiro',
      'エミリ|emiri',
    ],
    family: ['佐藤|sato', '小野寺|onodera', '渡邉|watanabe', '藤原|fujiwara', '五十嵐|igarashi'],
  },
  {
    language: 'ko',
    cities: ['전주', '부산', '강릉'],
    zone: 540,
    familyFirst: true,
    given: ['지우|jiwoo', '서연|seoyeon', '민준|minjun', '하늘|haneul'],
    family: ['김|kim', '박|park', '남궁|namgung', '이|lee'],
  },
  {
    language: 'ar',
    cities: ['الإسكندرية', 'فاس', 'عمّان', 'بيروت'],
    zone: 180,
    given: ['ليلى|layla', 'يوسف|yusuf', 'نور الهدى|nour', 'عبد الرحمن|abdulrahman', 'هالة|hala'],
    family: ['الخطيب|alkhatib', 'بن يحيى|benyahia', 'حدّاد|haddad', 'المصري|almasri'],
  },
  {
    language: 'he',
    cities: ['חיפה', 'באר שבע', 'תל אביב־יפו'],
    zone: 180,
    given: ['נועה|noa', 'איתן|eitan', 'שירה|shira', 'דוד|david'],
    family: ['בן־דוד|bendavid', 'לוי|levi', 'אברמוביץ׳|abramovich', 'מזרחי|mizrahi'],
  },
  {
    language: 'hi',
    cities: ['वाराणसी', 'जयपुर', 'भोपाल'],
    zone: 330,
    given: ['अनन्या|ananya', 'राहुल|rahul', 'सुनीता|sunita', 'विक्रम|vikram', 'मीरा|meera'],
    family: ['शर्मा|sharma', 'त्रिपाठी|tripathi', 'मिश्रा|mishra', 'चतुर्वेदी|chaturvedi'],
  },
  {
    language: 'id',
    cities: ['Yogyakarta', 'Bandung'],
    zone: 420,
    given: ['Suryani', 'Wulandari', 'Hartono', 'Sukmawati', 'Prasetyo'],
    family: [],
  },
];

/** Three names that often break software. */
export const oddNames = [
  { given: 'Robert\'); DROP TABLE "users";--', family: 'Null', latin: 'robert.null' },
  { given: 'Zoë 🦊', family: 'Ångström', latin: 'zoe.angstrom' },
  { given: 'X Æ', family: 'O\'"Brien\\, Jr.', latin: 'x.obrien' },
] as const;
